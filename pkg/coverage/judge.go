package coverage

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seed-4419f9ca/forge/pkg/finding"
	"github.com/seed-4419f9ca/forge/pkg/guardheader"
)

func cell(layer string, state State, format string, args ...any) Cell {
	return Cell{Layer: layer, State: state, Reason: fmt.Sprintf(format, args...)}
}

// runWorkflow judges what stands between an agent that runs a workflow and the loss of its rules.
func (s *state) runWorkflow() []Cell {
	table := cell(Table, None, "the rules hold no guard table")
	if len(s.tables) > 0 {
		table = cell(Table, Partial, "the guard tables speak of files and not of workflows: they count once the workflow edits a listed file")
	}
	return []Cell{table, s.safety(Full), s.preflight(), s.anyHeader(Partial, "a workflow meets the header of each guarded file that it opens"), s.enforcedTexts()}
}

// freeRequest judges a request that names neither a workflow nor a file.
func (s *state) freeRequest() []Cell {
	table := cell(Table, None, "the rules hold no guard table")
	if len(s.tables) > 0 {
		table = cell(Table, Partial, "the guard tables count while the agent still knows that they are there")
	}
	state := Full
	if s.carriers() != s.headers {
		state = Partial
	}
	return []Cell{
		table,
		s.safety(Partial),
		cell(Preflight, None, "no workflow runs, so no step 0 does"),
		s.anyHeader(state, "the header is read with the file"),
		s.enforcedGuards("any file", s.armedRows()),
	}
}

// edit judges the direct edit of the files of one guard.
func (s *state) edit(key, what string) []Cell {
	row := s.rows.Key(key)
	if row == nil {
		var out []Cell
		for _, l := range []string{Table, Safety, Preflight, Header, Enforced} {
			out = append(out, cell(l, None, "the configuration takes guard %q out", key))
		}
		return out
	}
	return []Cell{
		s.tableFor(row),
		s.safetyFor(row),
		cell(Preflight, None, "a direct edit runs no workflow and so no step 0"),
		s.headerFor(row),
		s.enforcedGuards("a "+what, []*guardheader.Row{row}),
	}
}

// tableFor judges whether the guard tables name the files of a guard.
func (s *state) tableFor(row *guardheader.Row) Cell {
	if len(s.tables) == 0 {
		return cell(Table, None, "the rules hold no guard table")
	}
	files := s.files[row.Key]
	if len(files) == 0 {
		for _, m := range s.matchers {
			if slices.ContainsFunc(row.Paths, m.match.Meets) {
				return cell(Table, Full, "a guard table names the paths of guard %q; the snapshot holds no file under them", row.Key)
			}
		}
		return cell(Table, None, "no guard table names the paths of guard %q", row.Key)
	}
	named, whole := 0, 0
	for _, f := range files {
		rows := slices.DeleteFunc(slices.Clone(s.matchers), func(m tableRow) bool { return !m.match.Match(f.path) })
		if len(rows) > 0 {
			named++
		}
		if slices.ContainsFunc(rows, func(m tableRow) bool { return m.whole }) {
			whole++
		}
	}
	switch {
	case named == 0:
		return cell(Table, None, "no guard table names a file of guard %q", row.Key)
	case whole == len(files):
		return cell(Table, Full, "named with the rule to re-read: %s", share(whole, len(files), row.Key))
	case whole < named:
		return cell(Table, Partial, "named with a rule that exists: %s; of the others the rule file is missing", share(whole, len(files), row.Key))
	}
	return cell(Table, Partial, "named with the rule to re-read: %s", share(whole, len(files), row.Key))
}

// share says how many of the files of a guard have something.
func share(n, of int, key string) string {
	if of == 1 {
		return fmt.Sprintf("%d of 1 file of guard %q", n, key)
	}
	return fmt.Sprintf("%d of %d files of guard %q", n, of, key)
}

// safety judges the safety block as far as it does not depend on a file; whole is the state of a block without fault.
func (s *state) safety(whole State) Cell {
	if len(s.opening) == 0 {
		return cell(Safety, None, "no workflow opens a session with a report")
	}
	best := s.opening[0]
	for _, o := range s.opening {
		if o.fault == "" {
			best = o
			break
		}
	}
	switch {
	case best.block == nil:
		return cell(Safety, None, "%q: %s", best.path, best.fault)
	case best.fault != "":
		return cell(Safety, Partial, "%q: %s", best.path, best.fault)
	case whole == Partial:
		return cell(Safety, Partial, "the block of %q reminds in general terms while the report is in sight", best.path)
	}
	return cell(Safety, whole, "the report of %q ends with the block", best.path)
}

// safetyFor judges whether a safety block names the files of a guard.
func (s *state) safetyFor(row *guardheader.Row) Cell {
	c := s.safety(Partial)
	for _, o := range s.opening {
		if o.fault != "" {
			continue
		}
		for _, f := range s.files[row.Key] {
			if slices.ContainsFunc(o.names, func(n string) bool { return f.path == n || strings.HasPrefix(f.path, n+"/") }) {
				return cell(Safety, Full, "the block of %q names the path of %q", o.path, f.path)
			}
		}
	}
	return c
}

func (s *state) preflight() Cell {
	if len(s.steps) == 0 {
		return cell(Preflight, None, "the snapshot holds none of the workflows that need a step 0")
	}
	var faults []string
	for _, st := range s.steps {
		if st.fault != "" {
			faults = append(faults, fmt.Sprintf("%q %s", st.path, st.fault))
		}
	}
	good := len(s.steps) - len(faults)
	switch {
	case len(faults) == 0:
		return cell(Preflight, Full, "workflows that re-read the rules first: %d of %d", good, len(s.steps))
	case good == 0:
		return cell(Preflight, None, "workflows that re-read the rules first: 0 of %d; %s", len(s.steps), strings.Join(faults, "; "))
	}
	return cell(Preflight, Partial, "workflows that re-read the rules first: %d of %d; %s", good, len(s.steps), strings.Join(faults, "; "))
}

// carriers counts the guarded files that can carry a header.
func (s *state) carriers() int {
	n := 0
	for _, g := range s.guards {
		n += g.CanCarry
	}
	return n
}

// anyHeader judges the headers of all guards together; state is that where there is at least one.
func (s *state) anyHeader(state State, why string) Cell {
	n := s.carriers()
	if n == 0 {
		return cell(Header, None, "the snapshot holds no guarded file that can carry a header")
	}
	if s.headers == 0 {
		state = None
	}
	return cell(Header, state, "guarded files with their header: %d of %d; %s", s.headers, n, why)
}

func (s *state) headerFor(row *guardheader.Row) Cell {
	i := slices.IndexFunc(s.guards, func(g Guard) bool { return g.Key == row.Key })
	g := s.guards[i]
	switch {
	case !g.Armed:
		return cell(Header, None, "guard %q is not in use in this repository", row.Key)
	case g.CanCarry == 0:
		return cell(Header, None, "the snapshot holds no file of guard %q that can carry a header", row.Key)
	}
	state := Partial
	switch g.WithHeader {
	case 0:
		state = None
	case g.CanCarry:
		state = Full
	}
	return cell(Header, state, "with header: %s", share(g.WithHeader, g.CanCarry, row.Key))
}

func (s *state) armedRows() []*guardheader.Row {
	return slices.DeleteFunc(slices.Clone(s.rows.List()), func(r *guardheader.Row) bool { return !s.armed[r.Key] })
}

// enforcedTexts judges what is enforced about workflows: their texts, never that an agent follows them.
func (s *state) enforcedTexts() Cell {
	where, _ := s.where("preflight")
	if where == "" {
		return cell(Enforced, None, "%s", s.nowhere())
	}
	return cell(Enforced, Partial, "%s keep the safety block and the steps 0 in their places; nobody can enforce that an agent follows them", where)
}

// enforcedGuards judges what is enforced about the files of guards.
func (s *state) enforcedGuards(what string, rows []*guardheader.Row) Cell {
	var keys []string
	loose := false
	for _, r := range rows {
		switch {
		case !s.armed[r.Key]:
		case s.Config.Guards != nil && s.Config.Guards.Provenance == "off" && (r.Policy == "governed" || r.Policy == "read-only"):
			loose = true
		default:
			keys = append(keys, r.Key)
		}
	}
	if len(keys) == 0 && loose {
		return cell(Enforced, None, "guards.provenance is off, so nobody asks how %s was changed", what)
	}
	if len(keys) == 0 {
		return cell(Enforced, None, "not in use in this repository: the guard of %s", what)
	}
	where, both := s.where("guard-policy")
	switch {
	case where == "":
		return cell(Enforced, None, "%s", s.nowhere())
	case !both:
		return cell(Enforced, Partial, "held only by %s: the policy of %s", where, strings.Join(keys, ", "))
	}
	return cell(Enforced, Full, "held by %s: the policy of %s", where, strings.Join(keys, ", "))
}

// where says in words what runs a check, and whether both hooks and CI do.
func (s *state) where(id string) (words string, both bool) {
	levels := s.Config.Checks[id]
	hooks := len(s.Hooks)+len(s.managers) > 0 && levels.PreCommit != finding.Off
	ci := len(s.ci) > 0 && levels.CI != finding.Off
	switch {
	case hooks && ci:
		return "git hooks and CI", true
	case hooks:
		return "git hooks", false
	case ci:
		return "jobs of CI", false
	}
	return "", false
}

func (s *state) nowhere() string {
	if len(s.Hooks)+len(s.managers)+len(s.ci) > 0 {
		return "the configuration switches the check off"
	}
	return "no git hook of this clone and no CI file of this snapshot runs Forge: `forge-pre-commit install` writes the hooks"
}

// layers lists the columns with their costs.
func (s *state) layers() []Layer {
	table := Layer{ID: Table, Title: "guard tables in the rules", Per: "session"}
	for _, t := range s.tables {
		table.Bytes += t.End - t.Start
		if !slices.Contains(table.Files, t.Path) {
			table.Files = append(table.Files, t.Path)
		}
	}
	safety := Layer{ID: Safety, Title: "safety block of the opening report", Per: "session"}
	for _, o := range s.opening {
		safety.Bytes += o.bytes
		safety.Files = append(safety.Files, o.path)
	}
	preflight := Layer{ID: Preflight, Title: "step 0 of workflows", Per: "workflow"}
	for _, st := range s.steps {
		preflight.Bytes += st.bytes
		preflight.Files = append(preflight.Files, st.path)
	}
	if n := len(s.steps); n > 0 {
		preflight.Bytes = (preflight.Bytes + n - 1) / n
	}
	header := Layer{ID: Header, Title: "guard headers", Per: "guarded file"}
	if s.headers > 0 {
		header.Bytes = (s.headerSize + s.headers - 1) / s.headers
	}
	enforced := Layer{ID: Enforced, Title: "git hooks and CI", Per: "nothing: no agent reads it"}
	for _, h := range s.Hooks {
		enforced.Files = append(enforced.Files, "hook "+h)
	}
	enforced.Files = append(append(enforced.Files, s.managers...), s.ci...)
	return []Layer{table, safety, preflight, header, enforced}
}
