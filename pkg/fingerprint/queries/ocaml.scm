; What each capture means stands at the head of pkg/syntax/define.go.

(value_definition) @wrap
(let_binding pattern: [(value_name) (parenthesized_operator)] @name) @variable @function
(let_binding pattern: (parenthesized_pattern (tuple_pattern (value_name) @name))) @variable
(let_binding pattern: (tuple_pattern (value_name) @name)) @variable
(let_binding) @function
(external (value_name) @name) @definition

(type_definition) @wrap
(type_binding name: (_) @name) @definition
(constructor_declaration (constructor_name) @name) @definition
(field_declaration (field_name) @name) @definition
(exception_definition) @wrap

(module_definition) @wrap
(module_binding (module_name) @name) @definition
(module_type_definition (module_type_name) @name) @definition
(value_specification (value_name) @name) @definition

(class_definition) @wrap
(class_binding (class_name) @name) @definition
(method_definition (method_name) @name) @definition @function
(instance_variable_definition (instance_variable_name) @name) @definition
