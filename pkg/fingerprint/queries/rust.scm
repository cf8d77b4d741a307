; What each capture means stands at the head of pkg/syntax/define.go.

(function_item name: (identifier) @name) @definition @function
(function_signature_item name: (identifier) @name) @definition
(closure_expression) @function

(impl_item type: [(type_identifier) (primitive_type) (scoped_type_identifier)] @name) @scope
(impl_item type: (generic_type type: [(type_identifier) (scoped_type_identifier)] @name)) @scope
(impl_item type: (reference_type type: (type_identifier) @name)) @scope
(impl_item type: (reference_type type: (generic_type type: (type_identifier) @name))) @scope
(foreign_mod_item) @scope
(mod_item name: (identifier) @name) @definition
(struct_item name: (type_identifier) @name) @definition
(union_item name: (type_identifier) @name) @definition
(enum_item name: (type_identifier) @name) @definition
(enum_variant name: (identifier) @name) @definition
(trait_item name: (type_identifier) @name) @definition
(field_declaration name: (field_identifier) @name) @definition
(const_item name: (identifier) @name) @variable
(static_item name: (identifier) @name) @variable
(type_item name: (type_identifier) @name type: (_) @body) @definition
(associated_type name: (type_identifier) @name) @definition
(macro_definition name: (identifier) @name) @definition

(attribute_item) @lead
(line_comment doc: (_)) @lead @doc
(block_comment doc: (_)) @lead @doc
