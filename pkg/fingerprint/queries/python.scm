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
(class_definition body: (block (function_definition name: (identifier) @method) @constructor (#any-of? @method "__init__" "__new__" "__post_init__")))
(class_definition
  body: (block
    (decorated_definition
      (function_definition name: (identifier) @method) @constructor)
    (#any-of? @method "__init__" "__new__" "__post_init__")))
(assignment left: (attribute object: (identifier) @self attribute: (identifier) @name) right: (_)? @body (#eq? @self "self")) @instance
(assignment left: (pattern_list (attribute object: (identifier) @self attribute: (identifier) @name)) right: (_) @body (#eq? @self "self")) @instance
(assignment left: (tuple_pattern (attribute object: (identifier) @self attribute: (identifier) @name)) right: (_) @body (#eq? @self "self")) @instance

; Documentation.
(module . (comment)* . (expression_statement . [(string) (concatenated_string)] .) @doc)
(class_definition body: (block . (comment)* . (expression_statement . [(string) (concatenated_string)] .) @doc))
(function_definition body: (block . (comment)* . (expression_statement . [(string) (concatenated_string)] .) @doc))
