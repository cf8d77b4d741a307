; What each capture means stands at the head of pkg/syntax/define.go.

(namespace_declaration name: (_) @name) @definition
(class_declaration name: (identifier) @name) @definition
(struct_declaration name: (identifier) @name) @definition
(interface_declaration name: (identifier) @name) @definition
(record_declaration name: (identifier) @name) @definition
(record_declaration (parameter_list (parameter name: (identifier) @name) @definition))
(enum_declaration name: (identifier) @name) @definition
(enum_member_declaration name: (identifier) @name) @definition
(delegate_declaration name: (identifier) @name) @definition

(method_declaration name: (identifier) @name) @definition @function
(local_function_statement name: (identifier) @name) @definition @function
(constructor_declaration name: (identifier) @name) @definition @function
(destructor_declaration "~" @name) @definition @function
(operator_declaration "operator" @name operator: _ @name) @definition @function
(conversion_operator_declaration "operator" @name type: (_) @name) @definition @function
(indexer_declaration "this" @name) @definition @function
(indexer_declaration "this" @name accessors: (_) @body) @definition
(property_declaration name: (identifier) @name) @definition
(property_declaration name: (identifier) @name accessors: (_) @body) @definition
(event_declaration name: (identifier) @name) @definition
(lambda_expression) @function

(field_declaration (variable_declaration (variable_declarator name: (identifier) @name) @definition) @wrap) @wrap
(event_field_declaration (variable_declaration (variable_declarator name: (identifier) @name) @definition) @wrap) @wrap
(field_declaration (variable_declaration (variable_declarator name: (identifier) @name "=" (_) @body) @definition))
