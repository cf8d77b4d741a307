; What each capture means stands at the head of pkg/syntax/define.go.

; An element goes by its id.
(element
  [(start_tag (attribute (attribute_name) @attribute [(attribute_value) @name (quoted_attribute_value (attribute_value) @name)]))
   (self_closing_tag (attribute (attribute_name) @attribute [(attribute_value) @name (quoted_attribute_value (attribute_value) @name)]))]
  (#any-of? @attribute "id" "ID")) @definition
(script_element
  (start_tag (attribute (attribute_name) @attribute [(attribute_value) @name (quoted_attribute_value (attribute_value) @name)]))
  (#any-of? @attribute "id" "ID")) @definition
(style_element
  (start_tag (attribute (attribute_name) @attribute [(attribute_value) @name (quoted_attribute_value (attribute_value) @name)]))
  (#any-of? @attribute "id" "ID")) @definition
