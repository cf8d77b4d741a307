; What each capture means stands at the head of pkg/syntax/define.go.

(function_statement name: (_) @name) @definition @function
(function_statement name: (_) @name (function_body) @body) @definition
(function) @function
; The names are those that package syntax writes for goto, labels and attributes, which the grammar does not know.
(variable_declaration name: (variable_declarator) @name (#not-any-of? @name "goto" "_" "_onst" "_lose")) @variable
(tableconstructor) @through
(fieldlist) @through
(field name: (identifier) @name value: (_) @body) @member
(field key: (string) @name value: (_) @body) @member
