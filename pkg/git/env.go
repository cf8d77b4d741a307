package git

import (
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// localVars are the variables that bind a process to one repository, as "git rev-parse --local-env-vars" lists them.
func localVars() []string {
	return []string{
		"GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_CONFIG", "GIT_CONFIG_PARAMETERS", "GIT_CONFIG_COUNT",
		"GIT_OBJECT_DIRECTORY", "GIT_DIR", "GIT_WORK_TREE", "GIT_IMPLICIT_WORK_TREE", "GIT_GRAFT_FILE", "GIT_INDEX_FILE",
		"GIT_NO_REPLACE_OBJECTS", "GIT_REPLACE_REF_BASE", "GIT_PREFIX", "GIT_INTERNAL_SUPER_PREFIX", "GIT_SHALLOW_FILE",
		"GIT_COMMON_DIR", "GIT_QUARANTINE_PATH", "GIT_REF_FORMAT", "GIT_REFERENCE_BACKEND", "GIT_NAMESPACE",
	}
}

// CleanEnv returns env without the variables that bind a process to one repository, for children about another one: the
// demo, tests, submodules (chapter 3.1). Merge heads that git exports to a hook belong to one repository too and go.
func CleanEnv(env []string) []string {
	local := localVars()
	return slices.DeleteFunc(slices.Clone(env), func(kv string) bool {
		name, _, _ := strings.Cut(kv, "=")
		return slices.Contains(local, name) || strings.HasPrefix(name, "GIT_CONFIG_KEY_") ||
			strings.HasPrefix(name, "GIT_CONFIG_VALUE_") || strings.HasPrefix(name, mergeHeadPrefix)
	})
}

// childEnv returns the environment of children about this repository: env with git's variables as they are, and on top
// what makes git's answers plain. A relative GIT_INDEX_FILE or GIT_DIR stays as it is: every child starts in the folder
// that the caller's git started in and resolves it the way that git does, from the top of the working tree. The options
// for patterns go, because git refuses them together with literal ones.
func childEnv(env []string) []string {
	out := slices.DeleteFunc(slices.Clone(env), func(kv string) bool {
		switch name, _, _ := strings.Cut(kv, "="); name {
		case "LC_ALL", "GIT_OPTIONAL_LOCKS", "GIT_NO_REPLACE_OBJECTS", "GIT_NO_LAZY_FETCH", "GIT_ALLOW_PROTOCOL", "GIT_GRAFT_FILE",
			"GIT_LITERAL_PATHSPECS", "GIT_GLOB_PATHSPECS", "GIT_NOGLOB_PATHSPECS", "GIT_ICASE_PATHSPECS":
			return true
		}
		return false
	})
	return single(append(out,
		"LC_ALL=C",                        // errors are recognised by their English text
		"GIT_OPTIONAL_LOCKS=0",            // reading never writes
		"GIT_LITERAL_PATHSPECS=1",         // a path is never a pattern
		"GIT_NO_REPLACE_OBJECTS=1",        // nobody else will see a local replacement
		"GIT_GRAFT_FILE=/dev/null/absent", // nor a local graft
		"GIT_NO_LAZY_FETCH=1",             // a hook never fetches
		"GIT_ALLOW_PROTOCOL=none",         // the same for git before 2.45
	))
}

// single returns env with one entry for each variable, the last one: of several, programs differ in which they take.
func single(env []string) []string {
	seen := make(map[string]bool, len(env))
	out := make([]string, len(env))
	at := len(env)
	for i := len(env) - 1; i >= 0; i-- {
		name, _, _ := strings.Cut(env[i], "=")
		if !seen[name] {
			seen[name] = true
			at--
			out[at] = env[i]
		}
	}
	return out[at:]
}

// getenv returns the last value of name in env.
func getenv(env []string, name string) (string, bool) {
	for i := len(env) - 1; i >= 0; i-- {
		if k, v, ok := strings.Cut(env[i], "="); ok && k == name {
			return v, true
		}
	}
	return "", false
}

// lookIn finds git in the folders of path, which must be absolute: a git in the current folder belongs to the repository.
func lookIn(path string) (string, error) {
	for _, dir := range filepath.SplitList(path) {
		if !filepath.IsAbs(dir) {
			continue
		}
		if name, err := exec.LookPath(filepath.Join(dir, "git")); err == nil {
			return name, nil
		}
	}
	return "", exec.ErrNotFound
}
