; What each capture means stands at the head of pkg/syntax/define.go.

(function_declaration name: (identifier) @name) @definition @function

(method_declaration
  receiver: (parameter_list
    (parameter_declaration
      type: [
        (type_identifier) @in
        (pointer_type (type_identifier) @in)
        (parenthesized_type (type_identifier) @in)
        (parenthesized_type (pointer_type (type_identifier) @in))
        (generic_type type: (type_identifier) @in)
        (pointer_type (generic_type type: (type_identifier) @in))
      ]))
  name: (field_identifier) @name) @definition @function

(func_literal) @function

(type_spec name: (type_identifier) @name type: (_) @body) @definition
(type_alias name: (type_identifier) @name type: (_) @body) @definition
(type_declaration) @wrap

(const_spec name: (identifier) @name) @variable
(var_spec name: (identifier) @name) @variable
(const_declaration) @wrap
(var_declaration) @wrap

(field_declaration name: (field_identifier) @name) @definition
(field_declaration !name type: (type_identifier) @name) @definition
(field_declaration !name type: (generic_type type: (type_identifier) @name)) @definition
(field_declaration !name type: (qualified_type name: (type_identifier) @name)) @definition

(method_elem name: (field_identifier) @name) @definition
