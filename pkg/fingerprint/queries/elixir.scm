; What each capture means stands at the head of pkg/syntax/define.go.

(call
  target: (identifier) @keyword
  (arguments . (alias) @name)
  (do_block) @body
  (#any-of? @keyword "defmodule" "defprotocol")) @definition
(call
  target: (identifier) @keyword
  (arguments . (alias) @name (keywords (pair value: (alias) @name)))
  (do_block) @body
  (#eq? @keyword "defimpl")) @definition
(call
  target: (identifier) @keyword
  (arguments . (alias) @name (keywords (pair value: (list (alias) @name))))
  (do_block) @body
  (#eq? @keyword "defimpl")) @definition
(call
  target: (identifier) @keyword
  (arguments . (alias) @name .)
  (do_block) @body
  (#eq? @keyword "defimpl")) @definition

(call
  target: (identifier) @keyword
  (arguments
    . [
      (identifier) @name
      (call target: (identifier) @name)
      (binary_operator left: (identifier) @name operator: "when")
      (binary_operator left: (call target: (identifier) @name) operator: "when")
      (binary_operator left: (_) operator: ["+" "-" "*" "/" "++" "--" "<>" "|>" "==" "<" ">" "<=" ">=" "in"] @name)
    ]
    (keywords (pair value: (_) @body))?)
  (do_block)? @body
  (#any-of? @keyword "def" "defp" "defmacro" "defmacrop" "defguard" "defguardp" "defdelegate")) @definition @function

(call target: (identifier) @name (#any-of? @name "defstruct" "defexception")) @definition
(call
  target: (identifier) @keyword
  (arguments . (string) @name)
  (do_block) @body
  (#any-of? @keyword "test" "describe")) @definition

(unary_operator
  operator: "@"
  operand: (call
    target: (identifier) @name
    (arguments . (_) @body)
    (#not-any-of? @name "doc" "moduledoc" "typedoc" "spec" "impl" "deprecated" "since" "dialyzer" "type" "typep" "opaque" "callback" "macrocallback"))) @variable
(unary_operator
  operator: "@"
  operand: (call
    target: (identifier) @keyword
    (arguments . (binary_operator left: [(identifier) @name (call target: (identifier) @name)]))
    (#any-of? @keyword "type" "typep" "opaque" "callback" "macrocallback"))) @definition

(unary_operator
  operator: "@"
  operand: (call
    target: (identifier) @keyword
    (#any-of? @keyword "doc" "typedoc" "spec" "impl" "deprecated" "since" "dialyzer"))) @lead
(unary_operator
  operator: "@"
  operand: (call
    target: (identifier) @keyword
    (#any-of? @keyword "doc" "moduledoc" "typedoc"))) @doc
