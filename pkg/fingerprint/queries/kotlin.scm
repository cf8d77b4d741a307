; What each capture means stands at the head of pkg/syntax/define.go.

(class_declaration (type_identifier) @name) @definition
(class_declaration (type_identifier) @name [(class_body) (enum_class_body)] @body) @definition
(object_declaration (type_identifier) @name) @definition
(object_declaration (type_identifier) @name (class_body) @body) @definition
(companion_object) @scope
(class_parameter (binding_pattern_kind) (simple_identifier) @name) @definition
(enum_entry (simple_identifier) @name) @definition
(type_alias (type_identifier) @name) @definition

(function_declaration (simple_identifier) @name) @definition @function
(function_declaration (simple_identifier) @name (function_body) @body) @definition
(function_declaration (user_type (type_identifier) @in .) . (simple_identifier) @name) @definition
(function_declaration (nullable_type (user_type (type_identifier) @in .)) . (simple_identifier) @name) @definition
(function_declaration (user_type (type_identifier) @in (type_arguments)) . (simple_identifier) @name) @definition
(secondary_constructor "constructor" @name) @definition @function
(anonymous_initializer) @function
(lambda_literal) @function
(anonymous_function) @function
(getter) @function
(setter) @function

(property_declaration (variable_declaration . (simple_identifier) @name)) @variable
(property_declaration (variable_declaration . (simple_identifier) @name) "=" . (_) @body) @variable
(property_declaration (variable_declaration . (simple_identifier) @name) (getter) @body) @variable
(property_declaration (user_type (type_identifier) @in .) . (variable_declaration . (simple_identifier) @name)) @variable
(property_declaration (user_type (type_identifier) @in (type_arguments)) . (variable_declaration . (simple_identifier) @name)) @variable
(property_declaration (nullable_type (user_type (type_identifier) @in .)) . (variable_declaration . (simple_identifier) @name)) @variable
(property_declaration (multi_variable_declaration (variable_declaration . (simple_identifier) @name))) @variable

; Accessors on lines of their own.
(getter) @trail
(setter) @trail
