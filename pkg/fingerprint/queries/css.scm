; What each capture means stands at the head of pkg/syntax/define.go.

; A rule set goes by the classes and ids of what it selects, and by the tag where there are none.
(rule_set (selectors (_) @selector) (block) @body) @definition
(declaration . (property_name) @name) @member
(block) @through
(keyframe_block_list) @through
(keyframe_block) @through
(keyframes_statement (keyframes_name) @name) @definition
