/* A valve controller. */
#include <stdio.h>
#include "valve.h"

#define MAX_OPEN 900
#define CLAMP(x, lo, hi) \
	((x) < (lo) ? (lo) : \
	 (x) > (hi) ? (hi) : (x))
#define DEBUG

typedef unsigned int u32;
typedef int (*handler)(int code, void *arg);
typedef struct valve {
	int seconds;
	char *name, label[16];
	struct {
		u32 bits : 3;
	} flags;
	int (*on_open)(struct valve *self);
	struct valve *next;
} Valve, *ValveRef;

typedef struct {
	double x, y;
} Point;

struct queue {
	Valve *items[8];
	int count;
};

union word {
	int i;
	float f;
};

enum state { OPEN, SHUT = 4, BROKEN };

typedef enum { LOW, HIGH } Level;

struct forward;

static const int limits[] = { 1, 2, 3, };
static Valve *first = NULL, second;
int counter;
const char *const names[2] = { "a  b", "c" };
extern int shared;
static int (*callback)(int) = 0;
static Point origin = { .x = 0, .y = 1 };

int valve_open(int seconds);
static int helper(void);
char **split(const char *s);

static inline int clamp(int x)
{
	return CLAMP(x, 0, MAX_OPEN);
}

int valve_open(int seconds)
{
	static int calls;
	int local = 1;

	if (seconds > MAX_OPEN)
		return -1; /* seconds */
	calls++;
	for (int i = 0; i < 3; i++) {
		switch (i) {
		case 1:
			continue;
		default:
			break;
		}
	}
	return pulse(seconds * 10) + local;
}

Valve *valve_find(const char *name)
{
	for (Valve *v = first; v; v = v->next)
		if (!strcmp(v->name, name))
			return v;
	return NULL;
}

char **split(const char *s)
{
	goto out;
out:
	return 0;
}

#ifdef DEBUG
static int helper(void)
{
	return 1;
}
#else
static int helper(void)
{
	return 0;
}
#endif

void (*choose(int n))(int)
{
	return 0;
}

int main(int argc, char *argv[])
{
	do {
		argc--;
	} while (argc);
	return sizeof(Valve) + sizeof counter;
}
