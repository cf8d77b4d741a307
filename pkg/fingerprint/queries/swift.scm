; What each capture means stands at the head of pkg/syntax/define.go.

; Classes, structures, enumerations, actors and extensions.
(class_declaration name: [(type_identifier) (user_type)] @name) @definition
(protocol_declaration name: (type_identifier) @name) @definition
(typealias_declaration name: (type_identifier) @name) @definition
(associatedtype_declaration name: (type_identifier) @name) @definition
(enum_entry name: (simple_identifier) @name) @definition

(function_declaration name: (simple_identifier) @name) @definition @function
(function_declaration
  name: ["==" "!=" "===" "!==" "<" ">" "<=" ">=" "+" "-" "*" "/" "%" "++" "--" "+=" "-=" "*=" "/=" "%=" "&" "|" "^" "<<" ">>" "~" (custom_operator) (bang)] @name
  . "(") @definition @function
(protocol_function_declaration name: (simple_identifier) @name) @definition
(init_declaration "init" @name) @definition @function
(deinit_declaration "deinit" @name) @definition @function
(subscript_declaration "subscript" @name) @definition @function
(subscript_declaration "subscript" @name (computed_property) @body) @definition
(lambda_literal) @function
(computed_property) @function

(property_declaration name: (pattern bound_identifier: (simple_identifier) @name)) @variable
(property_declaration name: (pattern (pattern (simple_identifier) @name))) @variable
(property_declaration name: (pattern bound_identifier: (simple_identifier) @name) computed_value: (_) @body) @variable
(protocol_property_declaration name: (pattern bound_identifier: (simple_identifier) @name)) @definition
