; What each capture means stands at the head of pkg/syntax/define.go.

(function_definition
  declarator: [
    (function_declarator declarator: (identifier) @name)
    (parenthesized_declarator (function_declarator declarator: (identifier) @name))
    (function_declarator declarator: (parenthesized_declarator (identifier) @name))
    (pointer_declarator declarator: (function_declarator declarator: (identifier) @name))
    (pointer_declarator declarator: (pointer_declarator declarator: (function_declarator declarator: (identifier) @name)))
    (pointer_declarator declarator: (pointer_declarator declarator: (pointer_declarator declarator: (function_declarator declarator: (identifier) @name))))
  ]) @definition @function

; What returns a pointer to a function.
(function_definition declarator: (function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator: (function_declarator declarator: (identifier) @name))))) @definition @function

(declaration) @wrap
(declaration declarator: (identifier) @name @variable)
(declaration declarator: (init_declarator declarator: (identifier) @name value: (_) @body) @variable)
(declaration declarator: (init_declarator declarator: (_ declarator: (identifier) @name) value: (_) @body) @variable)
(declaration declarator: (init_declarator declarator: (_ declarator: (_ declarator: (identifier) @name)) value: (_) @body) @variable)
(declaration declarator: (init_declarator declarator: (function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator: (identifier) @name))) value: (_) @body) @variable)
(declaration declarator: (pointer_declarator declarator: (identifier) @name) @variable)
(declaration declarator: (array_declarator declarator: (identifier) @name) @variable)
(declaration declarator: (array_declarator declarator: (array_declarator declarator: (identifier) @name)) @variable)
(declaration declarator: (pointer_declarator declarator: (pointer_declarator declarator: (identifier) @name)) @variable)
(declaration declarator: (function_declarator declarator: (identifier) @name) @variable)
(declaration declarator: (function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator: (identifier) @name))) @variable)
(declaration declarator: (pointer_declarator declarator: (function_declarator declarator: (identifier) @name)) @variable)
(declaration declarator: (pointer_declarator declarator: (pointer_declarator declarator: (function_declarator declarator: (identifier) @name))) @variable)
(declaration declarator: (function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator: (function_declarator declarator: (identifier) @name)))) @variable)

(struct_specifier name: (type_identifier) @name body: (_)) @definition
(union_specifier name: (type_identifier) @name body: (_)) @definition
(enum_specifier name: (type_identifier) @name body: (_)) @definition
(enumerator name: (identifier) @name) @definition
(field_declaration) @wrap
(field_declaration declarator: (field_identifier) @name @definition)
(field_declaration declarator: (_ declarator: (field_identifier) @name) @definition)
(field_declaration declarator: (_ declarator: (_ declarator: (field_identifier) @name)) @definition)
(field_declaration declarator: (_ declarator: (parenthesized_declarator (pointer_declarator declarator: (field_identifier) @name))) @definition)

; What has a type without a name is the home of its members.
(field_declaration type: [(struct_specifier !name body: (_)) (union_specifier !name body: (_)) (enum_specifier !name body: (_))] declarator: [(field_identifier) @name (array_declarator declarator: (field_identifier) @name) (pointer_declarator declarator: (field_identifier) @name)]) @definition
(declaration type: [(struct_specifier !name body: (_)) (union_specifier !name body: (_)) (enum_specifier !name body: (_))] declarator: [(identifier) @name (array_declarator declarator: (identifier) @name) (pointer_declarator declarator: (identifier) @name)]) @variable
(declaration type: [(struct_specifier !name body: (_)) (union_specifier !name body: (_)) (enum_specifier !name body: (_))] declarator: (init_declarator declarator: [(identifier) @name (array_declarator declarator: (identifier) @name)] value: (_) @body)) @variable

; A tag and its alias name one type.
(type_definition type: (_ name: (type_identifier) @name body: (_) @body) declarator: (type_identifier)) @definition
(type_definition type: (_) @body declarator: (type_identifier) @name) @definition
(type_definition type: (_) @body declarator: (_ declarator: (type_identifier) @name)) @definition
(type_definition declarator: (function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator: (type_identifier) @name)))) @definition

(preproc_def name: (identifier) @name) @definition
(preproc_function_def name: (identifier) @name) @definition
