/* The stock of a depot: shelves, crates and the trucks that move them. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef DEPOT_SHELVES
#define DEPOT_SHELVES 64
#endif
#define CRATE_EMPTY ((crate_id)0)
#define MIN_OF(a, b) ((a) < (b) ? (a) : (b))
#define FOR_EACH_CRATE(s, c) \
	for (crate *c = (s)->first; c; \
	     c = c->next)

typedef uint32_t crate_id;
typedef int (*compare_fn)(const void *, const void *);
typedef struct shelf shelf;
typedef unsigned char barcode[13];

enum temperature {
	FROZEN = -18,
	CHILLED = 4,
	AMBIENT
};

typedef enum { LOAD, UNLOAD, TURN } order_kind;

typedef struct crate {
	crate_id id;
	enum temperature store;
	unsigned fragile : 1, stacked : 2;
	char label[32];
	struct {
		double length, width;
		int (*measure)(struct crate *);
	} size;
	struct crate *next;
} crate;

struct shelf {
	crate *first;
	size_t count, capacity;
	const char *const *tags;
	compare_fn order;
};

union payload {
	crate *crate;
	int64_t pallet;
};

struct order {
	order_kind kind;
	union payload what;
};

static shelf shelves[DEPOT_SHELVES];
static const char *const names[] = {
	[FROZEN + 18] = "frozen",
	"chilled",
};
extern int depot_errors;
int depot_errors = 0;
static struct {
	int depth;
	enum { QUIET, LOUD } mode;
} log_state, log_saved[2];
static struct { unsigned lo, hi; } limits = { 1, 9 };
static size_t total, peak = 1;
static int (*on_full)(shelf *, int) = NULL;
const double tare[3][2] = {{1.5, 2}, {0, 1}};

static int by_label(const void *a, const void *b);
crate *crate_new(crate_id id, const char *label);

static int by_label(const void *a, const void *b)
{
	const crate *x = *(const crate *const *)a;
	const crate *y = *(const crate *const *)b;
	return strcmp(x->label, y->label);
}

crate *crate_new(crate_id id, const char *label)
{
	crate *c = calloc(1, sizeof *c);
	if (!c)
		return NULL;
	c->id = id;
	strncpy(c->label, label, sizeof c->label - 1);
	return c;
}

#ifdef DEPOT_DEBUG
static void trace(const char *what)
{
	fprintf(stderr, "depot: %s\n", what);
}
#else
static void trace(const char *what) { (void)what; }
#endif

bool shelf_put(shelf *s, crate *c)
{
	static int warned;
	if (s->count >= s->capacity) {
		if (on_full && on_full(s, 1) == 0)
			return true;
		if (!warned++)
			trace("full");
		depot_errors++;
		return false;
	}
	c->next = s->first;
	s->first = c;
	s->count += 1;
	total++;
	if (total > peak)
		peak = total;
	return true;
}

crate *shelf_take(shelf *s, crate_id id)
{
	crate **at;
	for (at = &s->first; *at; at = &(*at)->next) {
		if ((*at)->id == id) {
			crate *found = *at;
			*at = found->next;
			s->count--;
			goto done;
		}
	}
	return NULL;
done:
	total--;
	return *at;
}

static inline int order_run(const struct order *o, shelf *s)
{
	switch (o->kind) {
	case LOAD:
		return shelf_put(s, o->what.crate) ? 0 : -1;
	case UNLOAD:
		return shelf_take(s, (crate_id)o->what.pallet) ? 0 : -1;
	case TURN:
		break;
	}
	return 1;
}

size_t depot_count(void)
{
	size_t sum = 0;
	for (size_t i = 0; i < sizeof shelves / sizeof *shelves; i++)
		sum += shelves[i].count;
	return MIN_OF(sum, peak);
}

int (*depot_handler(order_kind kind))(shelf *, int)
{
	return kind == TURN ? on_full : NULL;
}

void depot_sort(shelf *s, compare_fn order, ...)
{
	crate *list[64];
	size_t n = 0;
	do {
		list[n] = s->first;
	} while (++n < s->count);
	qsort(list, n, sizeof *list, order ? order : by_label);
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; ++i) {
		crate *c = crate_new((crate_id)i, argv[i]);
		if (c == NULL || !shelf_put(&shelves[i % DEPOT_SHELVES], c))
			return EXIT_FAILURE;
	}
	printf("%zu\n", depot_count());
	return 0;
}
