-- Wards, patients and their stays.
CREATE SCHEMA IF NOT EXISTS hospital;

CREATE TYPE hospital.blood_group AS ENUM ('0', 'A', 'B', 'AB');
CREATE TYPE dose AS (
  substance text,
  milligrams numeric(8, 2)
);

CREATE SEQUENCE hospital.patient_number START WITH 1000 INCREMENT BY 1;

CREATE TABLE hospital.ward (
  id serial PRIMARY KEY,
  name varchar(80) NOT NULL UNIQUE,
  beds integer NOT NULL DEFAULT 24,
  intensive boolean DEFAULT false
);

CREATE TABLE IF NOT EXISTS hospital.patient (
  id bigint PRIMARY KEY DEFAULT nextval('hospital.patient_number'),
  family_name text NOT NULL,
  given_name text,
  born date NOT NULL,
  weight numeric(5, 1) CHECK (weight > 0),
  notes jsonb DEFAULT '{}'
);

CREATE TABLE hospital.stay (
  patient_id bigint NOT NULL REFERENCES hospital.patient (id) ON DELETE CASCADE,
  ward_id integer REFERENCES hospital.ward (id),
  admitted timestamp NOT NULL DEFAULT now(),
  discharged timestamp,
  cost numeric(10, 2) DEFAULT 0,
  PRIMARY KEY (patient_id, admitted)
);

CREATE TEMPORARY TABLE import_rows (
  line integer,
  body text
);

CREATE UNIQUE INDEX ward_name ON hospital.ward (name);
CREATE INDEX CONCURRENTLY IF NOT EXISTS stay_open ON hospital.stay (ward_id, admitted DESC) WHERE discharged IS NULL;

ALTER TABLE hospital.ward ADD COLUMN phone varchar(20);
ALTER TABLE hospital.stay ADD CONSTRAINT positive CHECK (cost >= 0);

CREATE VIEW hospital.occupancy AS
SELECT
  w.name,
  count(*) AS taken,
  w.beds - count(*) AS free
FROM hospital.ward AS w
LEFT JOIN hospital.stay AS s ON s.ward_id = w.id AND s.discharged IS NULL
GROUP BY w.name, w.beds
HAVING count(*) < w.beds
ORDER BY free DESC, w.name
LIMIT 20;

CREATE OR REPLACE VIEW long_stays AS
WITH open_stays AS (
  SELECT patient_id, admitted
  FROM hospital.stay
  WHERE discharged IS NULL OR discharged > now()
)
SELECT p.family_name, o.admitted
FROM hospital.patient p
INNER JOIN open_stays o ON o.patient_id = p.id
WHERE o.admitted < '2024-01-01' AND p.weight BETWEEN 20 AND 150;

CREATE MATERIALIZED VIEW hospital.monthly AS
SELECT date_trunc('month', admitted) AS month, sum(cost) AS total
FROM hospital.stay
GROUP BY 1;

CREATE FUNCTION hospital.age(born date) RETURNS integer AS $$
  SELECT now()::integer - born::integer;
$$ LANGUAGE sql;

CREATE OR REPLACE FUNCTION stay_days(admitted timestamp, discharged timestamp)
RETURNS integer
LANGUAGE sql
IMMUTABLE
AS $$
  SELECT CASE WHEN discharged IS NULL THEN 0 ELSE 1 END;
$$;

CREATE FUNCTION stay_days(patient bigint) RETURNS integer AS $$
  SELECT 1;
$$ LANGUAGE sql;

CREATE TRIGGER stay_changed
AFTER UPDATE ON hospital.stay
FOR EACH ROW
EXECUTE FUNCTION stay_days();

CREATE TABLE archive AS
SELECT * FROM hospital.stay WHERE discharged < '2000-01-01';

CREATE TABLE "Visitor Log" (
  "Visitor" text NOT NULL,
  arrived timestamp DEFAULT current_timestamp
);

INSERT INTO hospital.ward (name, beds, intensive) VALUES
  ('Surgery', 30, false),
  ('Intensive care', 8, true),
  ('Children''s ward', 18, NULL);

UPDATE hospital.ward SET beds = beds + 2 WHERE name LIKE 'Sur%' AND NOT intensive;

DELETE FROM hospital.stay WHERE discharged IS NOT NULL AND cost = 0.0;

SELECT
  p.given_name || ' ' || p.family_name AS patient,
  round(avg(s.cost), 2) AS mean_cost,
  row_number() OVER (PARTITION BY s.ward_id ORDER BY s.admitted) AS place
FROM hospital.patient AS p
JOIN hospital.stay AS s ON s.patient_id = p.id
WHERE EXISTS (SELECT 1 FROM hospital.ward w WHERE w.id = s.ward_id AND w.beds > 10)
   OR p.born IN ('1950-05-01', '1960-07-02')
GROUP BY p.given_name, p.family_name, s.ward_id, s.admitted
UNION ALL
SELECT body, 0, line FROM import_rows;

DROP TABLE IF EXISTS old_rows;
