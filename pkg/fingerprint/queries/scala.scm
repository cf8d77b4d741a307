; What each capture means stands at the head of pkg/syntax/define.go.

(class_definition name: (identifier) @name) @definition
(class_parameter name: (identifier) @name) @definition
(object_definition name: (identifier) @name) @definition
(package_object name: (identifier) @name) @definition
(trait_definition name: (identifier) @name) @definition
(enum_definition name: (identifier) @name) @definition
(simple_enum_case name: (identifier) @name) @definition
(full_enum_case name: (identifier) @name) @definition
(enum_case_definitions) @wrap

(function_definition name: (_) @name) @definition @function
(function_declaration name: (_) @name) @definition
(lambda_expression) @function
(given_definition name: (identifier) @name) @variable
(type_definition name: (type_identifier) @name) @definition
(type_definition name: (type_identifier) @name type: (_) @body) @definition
(extension_definition parameters: (parameters (parameter type: (type_identifier) @name))) @scope
(extension_definition parameters: (parameters (parameter type: (generic_type type: (type_identifier) @name)))) @scope

(val_definition pattern: (identifier) @name) @variable
(var_definition pattern: (identifier) @name) @variable
(val_definition pattern: (identifiers (identifier) @name)) @variable
(var_definition pattern: (identifiers (identifier) @name)) @variable
(val_definition pattern: (tuple_pattern (identifier) @name)) @variable
(val_declaration name: (identifier) @name) @variable
(var_declaration name: (identifier) @name) @variable
