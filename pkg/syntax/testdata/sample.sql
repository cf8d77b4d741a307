-- Berths of a harbour.
CREATE SCHEMA harbour;

CREATE TABLE harbour.berths (
  id INT PRIMARY KEY,
  name VARCHAR(40) NOT NULL,
  draught INT DEFAULT 1,
  closed BOOLEAN
);

CREATE TABLE IF NOT EXISTS ships (
  id BIGINT PRIMARY KEY,
  label TEXT
);

CREATE INDEX berths_name ON harbour.berths (name);

CREATE VIEW free AS
SELECT b.id, b.name, count(*) AS n
FROM harbour.berths b
JOIN ships s ON s.id = b.id
WHERE b.closed = false AND b.draught > 3
GROUP BY b.id, b.name
ORDER BY n DESC;

CREATE MATERIALIZED VIEW busy AS SELECT id FROM ships;

CREATE TYPE mood AS ENUM ('calm', 'rough');

CREATE SEQUENCE berth_ids;

CREATE FUNCTION half(n INT) RETURNS INT LANGUAGE sql AS $$
  SELECT n / 2
$$;

ALTER TABLE harbour.berths ADD COLUMN pilot TEXT;

INSERT INTO ships (id, label) VALUES (1, 'a  b'), (2, 'c');

UPDATE ships SET label = 'd' WHERE id = 1;
