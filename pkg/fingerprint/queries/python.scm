; What each capture means stands at the head of pkg/syntax/define.go.

(function_definition name: (identifier) @name) @definition @function
(class_definition name: (identifier) @name) @definition
(decorated_definition) @wrap
(lambda) @function

(assignment left: (identifier) @name) @variable
(assignment left: (identifier) @name right: (_) @body) @variable
(assignment left: (pattern_list (identifier) @name) right: (_) @body) @variable
(assignment left: (tuple_pattern (identifier) @name) right: (_) @body) @variable
(assignment right: (assignment left: (identifier) @name)) @variable
(augmented_assignment left: (identifier) @name) @variable
(type_alias_statement . (type (identifier) @name)) @definition
(type_alias_statement . (type (generic_type (identifier) @name))) @definition

; Attributes that a constructor sets.
(class_definition
  body: (block
    (function_definition
      name: (identifier) @method
      body: (block
        (expression_statement
          (assignment left: (attribute object: (identifier) @self attribute: (identifier) @name)) @field)))
    (#eq? @method "__init__")
    (#eq? @self "self")))

; Documentation.
(module . (comment)* . (expression_statement . [(string) (concatenated_string)] .) @doc)
(class_definition body: (block . (comment)* . (expression_statement . [(string) (concatenated_string)] .) @doc))
(function_definition body: (block . (comment)* . (expression_statement . [(string) (concatenated_string)] .) @doc))
