; What each capture means stands at the head of pkg/syntax/define.go.

(class_declaration name: (identifier) @name) @definition
(interface_declaration name: (identifier) @name) @definition
(enum_declaration name: (identifier) @name) @definition
(record_declaration name: (identifier) @name) @definition
(record_declaration parameters: (formal_parameters (formal_parameter name: (identifier) @name) @definition))
(annotation_type_declaration name: (identifier) @name) @definition
(annotation_type_element_declaration name: (identifier) @name) @definition
(enum_constant name: (identifier) @name) @definition

(method_declaration name: (identifier) @name) @definition @function
(constructor_declaration name: (identifier) @name) @definition @function
(compact_constructor_declaration name: (identifier) @name) @definition @function
(lambda_expression) @function
(static_initializer) @function

(field_declaration (variable_declarator name: (identifier) @name) @definition) @wrap
(constant_declaration (variable_declarator name: (identifier) @name) @definition) @wrap
