; What each capture means stands at the head of pkg/syntax/define.go.

(create_table [(keyword_table) (keyword_exists)] . (object_reference) @name) @definition
(create_view [(keyword_view) (keyword_exists)] . (object_reference) @name) @definition
(create_materialized_view [(keyword_view) (keyword_exists)] . (object_reference) @name) @definition
(create_function [(keyword_function) (keyword_exists)] . (object_reference) @name) @definition
(create_type (keyword_type) . (object_reference) @name) @definition
(create_sequence [(keyword_sequence) (keyword_exists)] . (object_reference) @name) @definition
(create_trigger (keyword_trigger) . (object_reference) @name) @definition
(create_index column: (identifier) @name) @definition
(create_schema [(keyword_schema) (keyword_exists)] . (identifier) @name) @definition
(column_definition name: (identifier) @name) @definition

; What alters a table is part of it.
(alter_table [(keyword_table) (keyword_exists)] . (object_reference) @name) @definition
