; What each capture means stands at the head of pkg/syntax/define.go.

; A rule set goes by each class, id and tag that it selects.
(rule_set (selectors (class_selector (class_name) @name)) (block) @body) @definition
(rule_set (selectors (id_selector (id_name) @name)) (block) @body) @definition
(rule_set (selectors (tag_name) @name) (block) @body) @definition
(rule_set (selectors (_ . (_) (class_selector (class_name) @name) .)) (block) @body) @definition
(rule_set (selectors (_ . (_) (id_selector (id_name) @name) .)) (block) @body) @definition
(rule_set (selectors (descendant_selector (_) (tag_name) @name .)) (block) @body) @definition
(rule_set (selectors (child_selector (_) (tag_name) @name .)) (block) @body) @definition
(rule_set (selectors (sibling_selector (_) (tag_name) @name .)) (block) @body) @definition
(rule_set (selectors (adjacent_sibling_selector (_) (tag_name) @name .)) (block) @body) @definition
(rule_set (selectors (attribute_selector . (tag_name) @name)) (block) @body) @definition
(rule_set (selectors (pseudo_class_selector . (class_name) @name .)) (block) @body) @definition
(rule_set (selectors (pseudo_class_selector . (class_selector (class_name) @name))) (block) @body) @definition
(rule_set (selectors (pseudo_class_selector . (tag_name) @name)) (block) @body) @definition
(rule_set (selectors (pseudo_element_selector . (class_selector (class_name) @name))) (block) @body) @definition
(declaration . (property_name) @name) @member
(block) @through
(keyframe_block_list) @through
(keyframe_block) @through
(keyframes_statement (keyframes_name) @name) @definition
