; What each capture means stands at the head of pkg/syntax/define.go.

(block . (identifier) @name . (block_start) (body)? @body) @definition
(block . (identifier) @name . [(string_lit) (identifier)] @name . (block_start) (body)? @body) @definition
(block . (identifier) @name . [(string_lit) (identifier)] @name . [(string_lit) (identifier)] @name . (block_start) (body)? @body) @definition
(attribute . (identifier) @name (expression) @body) @definition

(expression) @through
(collection_value) @through
(object) @through
(object_elem key: (expression (variable_expr (identifier) @name)) val: (_) @body) @member
(object_elem key: (expression (literal_value (string_lit) @name)) val: (_) @body) @member
