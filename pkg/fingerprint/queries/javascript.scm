; What each capture means stands at the head of pkg/syntax/define.go. The patterns that TypeScript has as well come
; first and are written alike there.

(function_declaration name: (identifier) @name) @definition @function
(generator_function_declaration name: (identifier) @name) @definition @function
(function_expression) @function
(generator_function) @function
(arrow_function) @function
(method_definition) @function
(class_static_block) @function

(class_declaration name: (identifier) @name) @definition
(class_body (method_definition name: (_) @name) @definition)
(class_body (field_definition property: (_) @name) @definition)
(class_body (field_definition property: (_) @name value: (arrow_function body: (_) @body)) @definition)

(export_statement) @wrap
(lexical_declaration) @wrap
(variable_declaration) @wrap

(variable_declarator name: (identifier) @name) @variable
(variable_declarator name: (identifier) @name value: (_) @body) @variable
(variable_declarator name: (identifier) @name value: (arrow_function body: (_) @body)) @variable
(variable_declarator name: (identifier) @name value: (function_expression body: (_) @body)) @variable
(variable_declarator name: (object_pattern (shorthand_property_identifier_pattern) @name)) @variable
(variable_declarator name: (object_pattern (pair_pattern value: (identifier) @name))) @variable
(variable_declarator name: (object_pattern (pair_pattern value: (assignment_pattern left: (identifier) @name)))) @variable
(variable_declarator name: (object_pattern (object_assignment_pattern left: (shorthand_property_identifier_pattern) @name))) @variable
(variable_declarator name: (object_pattern (pair_pattern value: (object_pattern (shorthand_property_identifier_pattern) @name)))) @variable
(variable_declarator name: (object_pattern (pair_pattern value: (object_pattern (pair_pattern value: (identifier) @name))))) @variable
(variable_declarator name: (object_pattern (rest_pattern (identifier) @name))) @variable
(variable_declarator name: (array_pattern (identifier) @name)) @variable
(variable_declarator name: (array_pattern (assignment_pattern left: (identifier) @name))) @variable
(variable_declarator name: (array_pattern (rest_pattern (identifier) @name))) @variable

(object) @through
(array) @through
(parenthesized_expression) @through
(expression_statement (assignment_expression) @through)
(object (method_definition name: (_) @name) @member)
(object (pair key: (_) @name value: (_) @body) @member)
(object (pair key: (_) @name value: (arrow_function body: (_) @body)) @member)
(object (pair key: (_) @name value: (function_expression body: (_) @body)) @member)
(object (shorthand_property_identifier) @name @member)
; Object.freeze({…}) and its like.
(call_expression function: (member_expression object: (identifier) @object) arguments: (arguments) @through (#eq? @object "Object")) @through

(export_statement "default" @name value: (_) @body) @variable
(export_statement "default" @name value: (arrow_function body: (_) @body)) @variable
(export_statement "default" @name value: (function_expression body: (_) @body)) @variable
(export_statement "default" @name declaration: (_ !name)) @variable

(expression_statement
  (assignment_expression
    left: (member_expression object: (identifier) @module property: (property_identifier) @name)
    right: (_) @body
    (#eq? @module "module"))) @variable
(expression_statement
  (assignment_expression
    left: (member_expression object: (identifier) @in property: (property_identifier) @name)
    right: (_) @body
    (#not-any-of? @in "module"))) @variable
(expression_statement
  (assignment_expression
    left: (member_expression
      object: (member_expression object: (identifier) @in property: (property_identifier) @prototype)
      property: (property_identifier) @name)
    right: (_) @body
    (#eq? @prototype "prototype"))) @variable
(expression_statement
  (assignment_expression
    left: (member_expression
      object: (member_expression property: (property_identifier) @in)
      property: (property_identifier) @name)
    right: (_) @body
    (#eq? @in "exports"))) @variable
