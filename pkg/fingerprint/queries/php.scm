; What each capture means stands at the head of pkg/syntax/define.go.

(namespace_definition name: (_) @name body: (_)) @definition
(class_declaration name: (name) @name) @definition
(interface_declaration name: (name) @name) @definition
(trait_declaration name: (name) @name) @definition
(enum_declaration name: (name) @name) @definition
(enum_case name: (name) @name) @definition

(function_definition name: (name) @name) @definition @function
(method_declaration name: (name) @name) @definition @function
(anonymous_function_creation_expression) @function
(arrow_function) @function
(property_promotion_parameter name: (variable_name (name) @name)) @field

(const_declaration (const_element . (name) @name (_) @body) @definition) @wrap
(property_declaration (property_element (variable_name (name) @name)) @definition) @wrap
(property_declaration (property_element (variable_name (name) @name) (property_initializer) @body) @definition)
(expression_statement
  (function_call_expression
    function: (name) @callee
    arguments: (arguments . (argument [(string) (encapsed_string)] @name) (argument) @body)
    (#eq? @callee "define"))) @definition
(expression_statement (assignment_expression left: (list_literal (variable_name (name) @name)) right: (_) @body)) @variable
(expression_statement (assignment_expression left: (variable_name (name) @name) right: (_) @body)) @variable
