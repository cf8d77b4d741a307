; What each capture means stands at the head of pkg/syntax/define.go.

(function_definition name: (word) @name) @definition @function
(variable_assignment name: (variable_name) @name value: (_)? @body) @variable
(declaration_command) @wrap
