; What each capture means stands at the head of pkg/syntax/define.go.

(module name: (_) @name) @definition
(class name: (_) @name) @definition
(method name: (_) @name) @definition @function
(singleton_method name: (_) @name) @definition @function
(lambda) @function
(assignment left: (constant) @name right: (_) @body) @variable
(assignment left: (scope_resolution) @name right: (_) @body) @variable
(assignment left: (left_assignment_list (constant) @name) right: (_) @body) @variable
(alias name: (_) @name) @definition

(call
  method: (identifier) @method
  arguments: (argument_list . (simple_symbol) @name)
  block: (_) @body
  (#eq? @method "define_method")) @definition @function
(call
  method: (identifier) @method
  arguments: (argument_list . (simple_symbol) @name)
  (#eq? @method "alias_method")) @definition
(call
  method: (identifier) @method
  arguments: (argument_list (simple_symbol) @name @definition) @wrap
  (#any-of? @method "attr_accessor" "attr_reader" "attr_writer")) @wrap

(call
  method: (identifier) @method
  arguments: (argument_list [(method) (singleton_method)]) @wrap
  (#any-of? @method "private" "public" "protected" "module_function" "private_class_method")) @wrap
(body_statement (identifier) @mode (#any-of? @mode "private" "public" "protected" "module_function"))
