#include "tree.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifdef _WIN32
#include <process.h>
#include <malloc.h>
#define block_size _msize
#else
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>
#ifdef __APPLE__
#include <malloc/malloc.h>
#define block_size malloc_size
#else
#include <malloc.h>
#define block_size malloc_usable_size
#endif
#endif

// The part of tree-sitter's api.h that is used here; the structures are those of the version that go.mod pins.
typedef struct TSParser TSParser;
typedef struct TSTree TSTree;
typedef struct TSQueryCursor TSQueryCursor;
typedef struct {
  uint32_t context[4];
  const void *id;
  const TSTree *tree;
} TSNode;
typedef struct {
  const void *tree;
  const void *id;
  uint32_t context[3];
} TSTreeCursor;
typedef struct {
  TSNode node;
  uint32_t index;
} TSQueryCapture;
typedef struct {
  uint32_t id;
  uint16_t pattern_index;
  uint16_t capture_count;
  const TSQueryCapture *captures;
} TSQueryMatch;
typedef struct { // what a TSLanguage begins with
  uint32_t version, symbol_count, alias_count, token_count, external_token_count;
} language_head;

TSParser *ts_parser_new(void);
void ts_parser_delete(TSParser *);
bool ts_parser_set_language(TSParser *, const TSLanguage *);
void ts_parser_set_cancellation_flag(TSParser *, const size_t *);
TSTree *ts_parser_parse_string(TSParser *, const TSTree *, const char *, uint32_t);
void ts_tree_delete(TSTree *);
TSNode ts_tree_root_node(const TSTree *);
TSTreeCursor ts_tree_cursor_new(TSNode);
void ts_tree_cursor_delete(TSTreeCursor *);
TSNode ts_tree_cursor_current_node(const TSTreeCursor *);
uint16_t ts_tree_cursor_current_field_id(const TSTreeCursor *);
bool ts_tree_cursor_goto_parent(TSTreeCursor *);
bool ts_tree_cursor_goto_next_sibling(TSTreeCursor *);
bool ts_tree_cursor_goto_first_child(TSTreeCursor *);
uint16_t ts_node_symbol(TSNode);
uint32_t ts_node_start_byte(TSNode);
uint32_t ts_node_end_byte(TSNode);
bool ts_node_is_named(TSNode);
bool ts_node_is_extra(TSNode);
bool ts_node_is_missing(TSNode);
bool ts_node_is_error(TSNode);
bool ts_node_has_error(TSNode);
TSQueryCursor *ts_query_cursor_new(void);
void ts_query_cursor_delete(TSQueryCursor *);
void ts_query_cursor_exec(TSQueryCursor *, const TSQuery *, TSNode);
bool ts_query_cursor_did_exceed_match_limit(const TSQueryCursor *);
void ts_query_cursor_set_match_limit(TSQueryCursor *, uint32_t);
bool ts_query_cursor_next_match(TSQueryCursor *, TSQueryMatch *);
void ts_set_allocator(void *(*)(size_t), void *(*)(size_t, size_t), void *(*)(void *, size_t), void (*)(void *));

// The heap of the parsers is counted, so that a grammar that runs away is stopped at the same place on every machine.
static int64_t heap_used, heap_base, heap_limit; // some scanners release with free() what was counted, so it drifts
static size_t operations; // allocations since the parse began
static size_t stop;       // the parsers' cancellation flag

// What stays for the next file.
enum { kept_nodes = 1 << 17, kept_arena = 32 << 20 };

// An operation is an allocation: it depends on the input alone, not on the clock.
enum { operation_limit = 40 * 1000 * 1000, match_limit = 1 << 16 };

static void out_of_memory(void) { _exit(FORGE_EXIT_MEMORY); }

static void count(size_t size) {
  heap_used += (int64_t)size;
  if (heap_used - heap_base > heap_limit) out_of_memory();
  if (++operations > operation_limit) stop = 1;
}

// The arena serves a parse whose blocks all go through this file: they are given back together, without a look at each. A
// block is a multiple of 16 bytes and begins with its size; one that was given back goes into the list of its size.
enum { unit = 16, small_blocks = 64, block_classes = small_blocks + 40 };

typedef struct block {
  uint64_t units;
  struct block *next; // of a block that was given back
} block;

enum { header = offsetof(block, next) };

static struct {
  char *base, *next, *end; // base is NULL when there is no arena
  bool on;
  block *freed[block_classes];
} arena;

// class_of returns the list for blocks of so many units, and rounds them up to the size that all blocks of the list have.
static int class_of(uint64_t *units) {
  if (*units <= small_blocks) return (int)*units - 1;
  int class = small_blocks;
  uint64_t size = 2 * small_blocks;
  for (; size < *units; size *= 2) class++;
  *units = size;
  return class;
}

static void *arena_malloc(size_t size) {
  if (size > (size_t)(arena.end - arena.base)) out_of_memory();
  uint64_t units = (size + header + unit - 1) / unit;
  int class = class_of(&units);
  block *b = arena.freed[class];
  if (b) {
    arena.freed[class] = b->next;
  } else {
    if (units * unit > (uint64_t)(arena.end - arena.next)) out_of_memory();
    b = (block *)(void *)arena.next;
    b->units = units;
    arena.next += units * unit;
  }
  count(units * unit);
  return (char *)b + header;
}

static block *block_of(void *p) { return (block *)(void *)((char *)p - header); }

static void arena_free(void *p) {
  block *b = block_of(p);
  uint64_t units = b->units;
  heap_used -= (int64_t)(units * unit);
  int class = class_of(&units);
  b->next = arena.freed[class];
  arena.freed[class] = b;
}

static void *arena_realloc(void *p, size_t size) {
  size_t whole = block_of(p)->units * unit, room = whole - header;
  if (size <= room) {
    count(0);
    return p;
  }
  heap_used -= (int64_t)whole; // a block that grows does not count twice
  void *bigger = arena_malloc(size);
  heap_used += (int64_t)whole;
  memcpy(bigger, p, room);
  arena_free(p);
  return bigger;
}

// in_arena reports whether a block came from the arena: those of a query are older than the parse.
static bool in_arena(void *p) { return (char *)p >= arena.base && (char *)p < arena.end; }

static void *counted(void *p) {
  if (!p) out_of_memory();
  count(block_size(p));
  return p;
}

static void *counted_malloc(size_t size) { return arena.on ? arena_malloc(size) : counted(malloc(size ? size : 1)); }

static void *counted_calloc(size_t number, size_t size) {
  if (!arena.on) return counted(number && size ? calloc(number, size) : calloc(1, 1));
  if (size && number > SIZE_MAX / size) out_of_memory();
  return memset(arena_malloc(number * size), 0, number * size);
}

static void *counted_realloc(void *p, size_t size) {
  if (!p) return counted_malloc(size);
  if (in_arena(p)) return arena_realloc(p, size);
  heap_used -= (int64_t)block_size(p);
  return counted(realloc(p, size ? size : 1));
}

static void counted_free(void *p) {
  if (!p) return;
  if (in_arena(p)) {
    arena_free(p);
    return;
  }
  heap_used -= (int64_t)block_size(p);
  free(p);
}

#ifdef _WIN32
static void arena_keep(size_t bytes) { (void)bytes; }
#else
// arena_new reserves addresses for what the parsers may hold, and for what is lost between blocks of different sizes.
static void arena_new(void) {
  size_t size = 2 * (size_t)heap_limit;
  void *base = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON | MAP_NORESERVE, -1, 0);
  if (base == MAP_FAILED) return; // malloc does as well
  arena.base = base;
  arena.end = arena.base + size;
}

// arena_keep gives the memory behind the first bytes back to the system.
static void arena_keep(size_t bytes) {
  size_t used = (size_t)(arena.next - arena.base);
  if (used > bytes) madvise(arena.base + bytes, used - bytes, MADV_DONTNEED);
}
#endif

// arena_begin prepares the arena for one parse, arena_end gives everything back that the parse has taken.
static void arena_begin(void) {
  if (!arena.base) return;
  arena.next = arena.base + unit - header; // what follows a header is aligned
  memset(arena.freed, 0, sizeof arena.freed);
  arena.on = true;
}

static void arena_end(void) {
  arena_keep(kept_arena);
  arena.on = false;
  heap_used = heap_base;
}

#ifdef _WIN32
int forge_confine(size_t heap, size_t address_space) {
  (void)address_space;
  heap_limit = (int64_t)heap;
  ts_set_allocator(counted_malloc, counted_calloc, counted_realloc, counted_free);
  return 0;
}
#else
static int lower(int resource, rlim_t value) {
  struct rlimit limit;
  if (getrlimit(resource, &limit) != 0) return -1;
  if (limit.rlim_max != RLIM_INFINITY && limit.rlim_max < value) return 0;
  limit.rlim_cur = limit.rlim_max = value;
  return setrlimit(resource, &limit);
}

int forge_confine(size_t heap, size_t address_space) {
  heap_limit = (int64_t)heap;
  ts_set_allocator(counted_malloc, counted_calloc, counted_realloc, counted_free);
#ifdef __GLIBC__
  // A parser gives all its memory back after each file; the next file takes it again.
  mallopt(M_TRIM_THRESHOLD, 64 << 20);
  mallopt(M_TOP_PAD, 1 << 20);
  mallopt(M_MMAP_THRESHOLD, 32 << 20);
#endif
  arena_new();
  int failed = lower(RLIMIT_CORE, 0);
#ifdef __linux__
  failed |= lower(RLIMIT_AS, address_space);
#else
  (void)address_space;
#endif
  return failed;
}
#endif

#ifdef _WIN32
int64_t forge_cpu(void) { return (int64_t)clock() * (1000000000 / CLOCKS_PER_SEC); }
#else
int64_t forge_cpu(void) {
  struct timespec t;
  if (clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t) != 0) return 0;
  return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}
#endif

static bool grow(void **array, size_t *room, size_t count, size_t size) {
  if (count < *room) return true;
  size_t more = *room ? *room * 2 : 1024;
  void *bigger = realloc(*array, more * size);
  if (!bigger) return false;
  *array = bigger;
  *room = more;
  return true;
}

static bool add_node(forge_tree *out, TSNode node, uint16_t field, uint32_t depth, bool broken) {
  if (!grow((void **)&out->nodes, &out->node_room, out->node_count, sizeof *out->nodes)) return false;
  forge_node *n = &out->nodes[out->node_count++];
  n->id = (uint64_t)(uintptr_t)node.id;
  n->start = ts_node_start_byte(node);
  n->end = ts_node_end_byte(node);
  n->depth = depth;
  n->kind = ts_node_symbol(node);
  n->field = field;
  n->flags = (ts_node_is_named(node) ? FORGE_NAMED : 0) | (ts_node_is_extra(node) ? FORGE_EXTRA : 0);
  if (broken) {
    n->flags |= (ts_node_is_missing(node) ? FORGE_MISSING : 0) | (ts_node_is_error(node) ? FORGE_ERROR : 0) |
                (ts_node_has_error(node) ? FORGE_HAS_ERROR : 0);
  }
  return true;
}

// walk visits the tree once, in pre-order, without recursion.
static int walk(TSNode root, forge_tree *out) {
  TSTreeCursor cursor = ts_tree_cursor_new(root);
  bool broken = ts_node_has_error(root); // in a sound tree no node has to be asked
  uint32_t depth = 0;
  int status = FORGE_OK;
  for (;;) {
    if (!add_node(out, ts_tree_cursor_current_node(&cursor), ts_tree_cursor_current_field_id(&cursor), depth, broken)) {
      status = FORGE_NO_MEMORY;
      break;
    }
    if (ts_tree_cursor_goto_first_child(&cursor)) {
      depth++;
      continue;
    }
    bool done = false;
    while (!ts_tree_cursor_goto_next_sibling(&cursor)) {
      if (!ts_tree_cursor_goto_parent(&cursor)) {
        done = true;
        break;
      }
      depth--;
    }
    if (done) break;
  }
  ts_tree_cursor_delete(&cursor);
  return status;
}

static int match(TSNode root, const TSQuery *query, forge_tree *out) {
  TSQueryCursor *cursor = ts_query_cursor_new();
  ts_query_cursor_set_match_limit(cursor, match_limit);
  ts_query_cursor_exec(cursor, query, root);
  TSQueryMatch m;
  uint32_t count = 0;
  int status = FORGE_OK;
  while (status == FORGE_OK && ts_query_cursor_next_match(cursor, &m)) {
    for (uint16_t i = 0; i < m.capture_count; i++) {
      if (!grow((void **)&out->captures, &out->capture_room, out->capture_count, sizeof *out->captures)) {
        status = FORGE_NO_MEMORY;
        break;
      }
      forge_capture *c = &out->captures[out->capture_count++];
      c->id = (uint64_t)(uintptr_t)m.captures[i].node.id;
      c->start = ts_node_start_byte(m.captures[i].node);
      c->match = count;
      c->pattern = m.pattern_index;
      c->capture = (uint16_t)m.captures[i].index;
    }
    count++;
  }
  if (status == FORGE_OK && ts_query_cursor_did_exceed_match_limit(cursor)) status = FORGE_MATCHES;
  ts_query_cursor_delete(cursor);
  return status;
}

// read_tree parses src and fills out. It releases nothing when the arena is on.
static int read_tree(const TSLanguage *language, const TSQuery *query, const char *src, uint32_t length, forge_tree *out) {
  TSParser *parser = ts_parser_new();
  TSTree *tree = NULL;
  int status = FORGE_BAD_LANGUAGE;
  if (ts_parser_set_language(parser, language)) {
    ts_parser_set_cancellation_flag(parser, &stop);
    tree = ts_parser_parse_string(parser, NULL, src, length);
    status = FORGE_OPERATIONS;
  }
  if (tree) {
    TSNode root = ts_tree_root_node(tree);
    status = walk(root, out);
    if (status == FORGE_OK && query) status = match(root, query, out);
  }
  if (arena.on) return status;
  if (tree) ts_tree_delete(tree);
  ts_parser_delete(parser);
  return status;
}

// has_scanner reports whether a part of the grammar is C code of its own, which may free() what it was given by this file.
static bool has_scanner(const TSLanguage *language) { return ((const language_head *)(const void *)language)->external_token_count > 0; }

int forge_parse(const TSLanguage *language, const TSQuery *query, const char *src, uint32_t length, forge_tree *out) {
  out->node_count = out->capture_count = 0;
  heap_base = heap_used;
  operations = 0;
  stop = 0;
  if (has_scanner(language)) return read_tree(language, query, src, length, out);
  arena_begin();
  int status = read_tree(language, query, src, length, out);
  if (arena.on) arena_end();
  return status;
}

void forge_release(forge_tree *tree) {
  if (tree->node_room <= kept_nodes && tree->capture_room <= kept_nodes) return; // for the next file
  free(tree->nodes);
  free(tree->captures);
  memset(tree, 0, sizeof *tree);
}
