// What pkg/fingerprint needs of the C interface of tree-sitter, ABI 14, and one pass that turns a tree into arrays.
#ifndef FORGE_TREE_H
#define FORGE_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct TSLanguage TSLanguage;
typedef struct TSQuery TSQuery;

// A forge_node is one node of a tree. Nodes come in pre-order.
typedef struct {
  uint64_t id;
  uint32_t start, end; // bytes
  uint32_t depth;      // 0 for the root
  uint16_t kind;       // symbol of the language
  uint16_t field;      // field of the language, 0 without one
  uint32_t flags;      // FORGE_*
} forge_node;

enum {
  FORGE_NAMED = 1,
  FORGE_EXTRA = 2,
  FORGE_MISSING = 4,
  FORGE_ERROR = 8,      // the node itself is one
  FORGE_HAS_ERROR = 16, // it or something below it is an error or missing
};

// A forge_capture is one capture of one match.
typedef struct {
  uint64_t id;      // of the node
  uint32_t start;   // of the node, bytes
  uint32_t match;   // counts matches of this run
  uint16_t pattern; // of the query
  uint16_t capture; // name of the query
} forge_capture;

typedef struct {
  forge_node *nodes;
  size_t node_count, node_room;
  forge_capture *captures;
  size_t capture_count, capture_room;
} forge_tree;

enum {
  FORGE_OK = 0,
  FORGE_BAD_LANGUAGE = 1, // the runtime does not accept the grammar
  FORGE_OPERATIONS = 2,   // the operation limit was reached
  FORGE_NO_MEMORY = 3,
  FORGE_MATCHES = 4, // the query has more states in flight than are allowed
};

// forge_parse parses src, runs query (which may be NULL) over the tree and fills out, which begins as zeros and can be used
// for one file after the other. The caller calls forge_release whatever comes back, which gives large arrays back.
// forge_parse returns FORGE_OK or another value of that enumeration.
int forge_parse(const TSLanguage *language, const TSQuery *query, const char *src, uint32_t length, forge_tree *out);
void forge_release(forge_tree *tree);

// forge_confine bounds what this process may take: bytes of the heap of the parsers, after which the process ends with
// status FORGE_EXIT_MEMORY; the address space; and no core file. It returns 0, or -1 when a limit could not be set.
enum { FORGE_EXIT_MEMORY = 71 };
int forge_confine(size_t heap, size_t address_space);

// forge_cpu returns the CPU time of this process in nanoseconds.
int64_t forge_cpu(void);

uint32_t ts_language_symbol_count(const TSLanguage *);
const char *ts_language_symbol_name(const TSLanguage *, uint16_t);
uint32_t ts_language_field_count(const TSLanguage *);
const char *ts_language_field_name_for_id(const TSLanguage *, uint16_t);

typedef struct {
  int type; // 0 end of a predicate, 1 capture, 2 string
  uint32_t value;
} forge_step;

TSQuery *ts_query_new(const TSLanguage *, const char *source, uint32_t length, uint32_t *error_offset, int *error_type);
void ts_query_delete(TSQuery *);
uint32_t ts_query_pattern_count(const TSQuery *);
uint32_t ts_query_capture_count(const TSQuery *);
const char *ts_query_capture_name_for_id(const TSQuery *, uint32_t, uint32_t *length);
const char *ts_query_string_value_for_id(const TSQuery *, uint32_t, uint32_t *length);
const forge_step *ts_query_predicates_for_pattern(const TSQuery *, uint32_t, uint32_t *step_count);

const TSLanguage *tree_sitter_bash(void);
const TSLanguage *tree_sitter_c(void);
const TSLanguage *tree_sitter_c_sharp(void);
const TSLanguage *tree_sitter_cpp(void);
const TSLanguage *tree_sitter_css(void);
const TSLanguage *tree_sitter_elixir(void);
const TSLanguage *tree_sitter_go(void);
const TSLanguage *tree_sitter_hcl(void);
const TSLanguage *tree_sitter_html(void);
const TSLanguage *tree_sitter_java(void);
const TSLanguage *tree_sitter_javascript(void);
const TSLanguage *tree_sitter_kotlin(void);
const TSLanguage *tree_sitter_lua(void);
const TSLanguage *tree_sitter_ocaml(void);
const TSLanguage *tree_sitter_php(void);
const TSLanguage *tree_sitter_proto(void);
const TSLanguage *tree_sitter_python(void);
const TSLanguage *tree_sitter_ruby(void);
const TSLanguage *tree_sitter_rust(void);
const TSLanguage *tree_sitter_scala(void);
const TSLanguage *tree_sitter_sql(void);
const TSLanguage *tree_sitter_swift(void);
const TSLanguage *tree_sitter_tsx(void);
const TSLanguage *tree_sitter_typescript(void);

#endif
