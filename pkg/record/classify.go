package record

import "github.com/seed-4419f9ca/forge/pkg/text"

// classify says of each old entry without an equal in its place what became of it.
func (c *Changes) classify() {
	aligned := make([]bool, len(c.to))
	for old, now := range c.to {
		aligned[old] = now >= 0
	}
	moves := c.moved()
	var rest []int
	for old := range c.to {
		if c.to[old] < 0 {
			rest = append(rest, old)
		}
	}
	c.pairByID(rest)
	gaps := c.gaps(aligned)
	for _, find := range []func(old, from, to int) int{c.sameText, c.nearText} {
		from := 0
		for old := range c.to {
			if c.to[old] < 0 && !c.isHidden(old) {
				if now := find(old, from, gaps[old]); now >= 0 {
					c.pair(old, now)
					c.edited(old, now)
					from = now + 1
				}
			} else if aligned[old] {
				from = c.to[old] + 1
			}
		}
	}
	for _, old := range rest {
		if c.to[old] < 0 {
			c.gone(old)
		}
	}
	c.reportMoves(c.strayed(moves))
}

// moved pairs what stands, word for word, somewhere else.
func (c *Changes) moved() (moves []int) {
	for _, key := range []func(*Entry) string{(*Entry).key, (*Entry).body} {
		free := map[string][]int{}
		for now := range c.After.Entries {
			if c.IsNew(now) {
				k := key(&c.After.Entries[now])
				free[k] = append(free[k], now)
			}
		}
		for old := range c.Before.Entries {
			k := key(&c.Before.Entries[old])
			if list := free[k]; c.to[old] < 0 && len(list) > 0 {
				c.pair(old, list[0])
				free[k] = list[1:]
				moves = append(moves, old)
			}
		}
	}
	return moves
}

// pairByID pairs what begins with the same id, wherever it stands.
func (c *Changes) pairByID(rest []int) {
	free := map[string][]int{}
	for now := range c.After.Entries {
		if !c.IsNew(now) {
			continue
		}
		if ids := c.After.Entries[now].IDs(); len(ids) > 0 {
			free[ids[0]] = append(free[ids[0]], now)
		}
	}
	for _, old := range rest {
		ids := c.Before.Entries[old].IDs()
		if len(ids) == 0 || len(free[ids[0]]) == 0 {
			continue
		}
		now := free[ids[0]][0]
		free[ids[0]] = free[ids[0]][1:]
		c.pair(old, now)
		c.edited(old, now)
	}
}

// gaps returns, for each old entry, the index of the new entry at which the gap in which it stood ends: that of the next
// old entry that is where it was.
func (c *Changes) gaps(aligned []bool) []int {
	ends := make([]int, len(c.to))
	end := len(c.After.Entries)
	for old := len(c.to) - 1; old >= 0; old-- {
		if aligned[old] {
			end = c.to[old]
		}
		ends[old] = end
	}
	return ends
}

const (
	maxCandidates  = 50   // new entries that one old entry is compared with
	maxComparisons = 4096 // texts that are compared in one list; what is left then counts as gone
	clearlySame    = 0.9  // nearness at which no better one is looked for
)

// candidates lists the new entries between from and to that an old one may have become: under the same heading, nearest
// first.
func (c *Changes) candidates(old, from, to int) []int {
	var list []int
	for now := from; now < to && len(list) < maxCandidates; now++ {
		if c.IsNew(now) && !c.foreign(now) && c.samePlace(old, now) {
			list = append(list, now)
		}
	}
	return list
}

// sameText finds a new entry between from and to that differs from the old one in check mark or form only.
func (c *Changes) sameText(old, from, to int) int {
	for _, now := range c.candidates(old, from, to) {
		if c.After.Entries[now].Text == c.Before.Entries[old].Text {
			return now
		}
	}
	return -1
}

// nearText finds the new entry between from and to whose text is nearest to that of the old one, and near enough.
func (c *Changes) nearText(old, from, to int) int {
	best, found := 0.0, -1
	for _, now := range c.candidates(old, from, to) {
		if c.compared++; c.compared > maxComparisons || best >= clearlySame {
			break
		}
		if s := c.Before.Entries[old].near(&c.After.Entries[now]); s >= nearlySame && s > best {
			best, found = s, now
		}
	}
	return found
}

// samePlace reports whether two entries stand under one heading, or under one that was renamed.
func (c *Changes) samePlace(old, now int) bool {
	o, n := &c.Before.Entries[old], &c.After.Entries[now]
	return o.Heading == n.Heading || !c.After.hasHeading(o.Heading) && !c.Before.hasHeading(n.Heading)
}

func (c *Changes) isHidden(old int) bool {
	_, ok := c.hidden(old)
	return ok
}

// hidden returns where the text of an old entry now stands in a comment or in code.
func (c *Changes) hidden(old int) (text.Span, bool) {
	return c.After.hides(&c.Before.Entries[old], c.Before)
}
