; What each capture means stands at the head of pkg/syntax/define.go.

(message (message_name) @name (message_body) @body) @definition
(enum (enum_name) @name (enum_body) @body) @definition
(service (service_name) @name) @definition
(rpc (rpc_name) @name) @definition
(field (identifier) @name) @definition
(map_field (identifier) @name) @definition
(enum_field . (identifier) @name) @definition

; The fields of a oneof are fields of its message.
(oneof . (identifier) @name) @definition @function
(oneof_field (identifier) @name) @field
