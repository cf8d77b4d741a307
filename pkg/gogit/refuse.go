package gogit

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/go-git/go-git/v5/plumbing/format/config"
)

// refuseEnv refuses variables that make git read something else than the repository in the folder.
func refuseEnv(env []string) error {
	for _, kv := range env {
		name, value, _ := strings.Cut(kv, "=")
		switch name {
		case "GIT_DIR", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_QUARANTINE_PATH",
			"GIT_WORK_TREE", "GIT_COMMON_DIR", "GIT_NAMESPACE", "GIT_SHALLOW_FILE", "GIT_GRAFT_FILE", "GIT_REPLACE_REF_BASE",
			"GIT_CONFIG", "GIT_CONFIG_COUNT", "GIT_CONFIG_PARAMETERS", "GIT_REF_FORMAT", "GIT_REFERENCE_BACKEND":
			if value != "" {
				return &Unsupported{"a call with " + name + " set"}
			}
		}
	}
	return nil
}

// refuseShape refuses the shapes that show in the folder of the repository.
func refuseShape(dir string) error {
	for _, s := range []struct{ name, shape string }{
		{"objects/info/alternates", "a repository that borrows objects from another one"},
		{"info/grafts", "a repository with grafts"},
		{"commondir", "a linked worktree"},
		{"reftable", "a repository with reftables"},
		{"refs/replace", "a repository with replaced objects"},
	} {
		switch _, err := os.Stat(filepath.Join(dir, filepath.FromSlash(s.name))); {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			return fmt.Errorf("could not look at the repository: %w", err)
		default:
			return &Unsupported{s.shape}
		}
	}
	packed, err := os.ReadFile(filepath.Join(dir, "packed-refs"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("could not look at the repository: %w", err)
	}
	if strings.Contains(string(packed), " refs/replace/") {
		return &Unsupported{"a repository with replaced objects"}
	}
	return refuseConfig(dir)
}

// refuseConfig refuses settings that change how the repository is to be read.
func refuseConfig(dir string) (err error) {
	f, err := os.Open(filepath.Join(dir, "config"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("could not read the configuration: %w", err)
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	cfg := config.New()
	if err := config.NewDecoder(f).Decode(cfg); err != nil {
		return fmt.Errorf("could not read the configuration: %w", err)
	}
	for _, s := range cfg.Sections {
		switch strings.ToLower(s.Name) {
		case "include", "includeif":
			return &Unsupported{"a configuration that includes other files"}
		case "extensions":
			if err := refuseExtensions(s.Options); err != nil {
				return err
			}
		case "core":
			for _, o := range s.Options {
				if isTrue(o, "sparseCheckout") {
					return &Unsupported{"a sparse checkout"}
				}
				if isTrue(o, "splitIndex") {
					return &Unsupported{"a split index"}
				}
			}
		case "remote":
			for _, sub := range s.Subsections {
				for _, o := range sub.Options {
					if isTrue(o, "promisor") || strings.EqualFold(o.Key, "partialclonefilter") {
						return &Unsupported{"a partial clone"}
					}
				}
			}
		}
	}
	return nil
}

// refuseExtensions lets through only extensions that change nothing for a reader.
func refuseExtensions(options config.Options) error {
	for _, o := range options {
		switch key := strings.ToLower(o.Key); {
		case key == "objectformat" && strings.EqualFold(o.Value, "sha1"), key == "refstorage" && strings.EqualFold(o.Value, "files"),
			key == "noop", key == "preciousobjects", key == "worktreeconfig" && !isTrue(o, o.Key):
		case key == "objectformat":
			return &Unsupported{"a repository with " + strings.ToUpper(o.Value) + " ids"}
		case key == "partialclone":
			return &Unsupported{"a partial clone"}
		default:
			return &Unsupported{fmt.Sprintf("a repository with the extension %q", o.Key)}
		}
	}
	return nil
}

func isTrue(o *config.Option, key string) bool {
	if !strings.EqualFold(o.Key, key) {
		return false
	}
	switch strings.ToLower(o.Value) {
	case "false", "no", "off", "0":
		return false
	}
	return true
}
