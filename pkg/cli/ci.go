package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/seed-4419f9ca/forge/pkg/git"
	"github.com/seed-4419f9ca/forge/pkg/snapshot"
)

// A job is what a CI system says about the change that it runs for (chapter 3.2).
type job struct {
	name    string // how the choice is told: "GitHub push"
	base    string // commit to compare with; "" when there is none of its own
	merged  bool   // HEAD is the system's own merge of the change into its target: its first parent is the base
	target  string // branch that the change is for, when base does not say it
	before  string // what the branch had before a push; zeros for a new branch
	tag     bool
	deleted bool
	depth   string // the line that a workflow with too little history lacks
}

// deepenBy is how many commits are fetched, once, when the history of a CI clone is too short.
const deepenBy = 200

// readJob finds out from the environment which job this is.
func (p *Program) readJob() (*job, error) {
	switch {
	case p.Getenv("GITHUB_ACTIONS") == "true":
		return p.githubJob()
	case p.Getenv("GITLAB_CI") == "true":
		return p.gitlabJob(), nil
	}
	return nil, usagef("--ci: neither GitHub Actions nor GitLab CI is recognised (GITHUB_ACTIONS, GITLAB_CI); name the change with --range A...B")
}

// A githubEvent is what is used of the file that GITHUB_EVENT_PATH names.
type githubEvent struct {
	Before      string
	Deleted     bool
	PullRequest struct {
		Base struct{ Ref string }
	} `json:"pull_request"`
	MergeGroup struct {
		BaseSHA string `json:"base_sha"`
	} `json:"merge_group"`
	Repository struct {
		DefaultBranch string `json:"default_branch"`
	}
}

func (p *Program) githubJob() (*job, error) {
	var event githubEvent
	data, err := os.ReadFile(p.Getenv("GITHUB_EVENT_PATH"))
	if err != nil {
		return nil, fmt.Errorf("could not read the event of this job (GITHUB_EVENT_PATH): %w", err)
	}
	if err := json.Unmarshal(data, &event); err != nil {
		return nil, fmt.Errorf("could not read the event of this job %q: %w", p.Getenv("GITHUB_EVENT_PATH"), err)
	}
	name := p.Getenv("GITHUB_EVENT_NAME")
	j := &job{name: "GitHub " + name, target: event.Repository.DefaultBranch, depth: "fetch-depth: 0 below `with:` of actions/checkout"}
	switch name {
	case "pull_request_target":
		return nil, errors.New("could not work out the change: in pull_request_target HEAD is the target branch and not the change; " +
			"fetch the head of the pull request and name it: --range HEAD...FETCH_HEAD --config-from HEAD")
	case "pull_request":
		j.merged = strings.HasSuffix(p.Getenv("GITHUB_REF"), "/merge")
		j.target = event.PullRequest.Base.Ref
		if ref := p.Getenv("GITHUB_BASE_REF"); ref != "" {
			j.target = ref
		}
	case "merge_group":
		j.base = event.MergeGroup.BaseSHA
	case "push":
		j.before, j.deleted = event.Before, event.Deleted
		j.tag = strings.HasPrefix(p.Getenv("GITHUB_REF"), "refs/tags/")
	}
	return j, nil
}

func (p *Program) gitlabJob() *job {
	j := &job{name: "GitLab branch", target: p.Getenv("CI_DEFAULT_BRANCH"), before: p.Getenv("CI_COMMIT_BEFORE_SHA"), depth: `GIT_DEPTH: "0" below variables:`}
	switch {
	case p.Getenv("CI_PIPELINE_SOURCE") == "merge_request_event":
		j.name, j.before = "GitLab merge request", ""
		j.base = p.Getenv("CI_MERGE_REQUEST_DIFF_BASE_SHA")
		j.target = p.Getenv("CI_MERGE_REQUEST_TARGET_BRANCH_NAME")
	case p.Getenv("CI_COMMIT_TAG") != "":
		j.name, j.tag = "GitLab tag", true
	}
	return j
}

// ciChange reads the change of a CI job. all asks for every file: there is nothing to compare with.
func (p *Program) ciChange(ctx context.Context, repo *git.Repo) (change *snapshot.Change, all bool, err error) {
	j, err := p.readJob()
	if err != nil || j.deleted {
		return nil, false, err
	}
	spec, how, err := j.choose(ctx, repo)
	if errors.Is(err, snapshot.ErrNoObject) {
		// One bounded attempt to fetch what is missing; why it failed is part of the answer.
		if deepenErr := repo.Deepen(ctx, "origin", deepenBy); deepenErr != nil {
			return nil, false, fmt.Errorf("%w\n%w\nhelp: give the job its history: %s", err, deepenErr, j.depth)
		}
		if spec, how, err = j.choose(ctx, repo); err != nil {
			return nil, false, fmt.Errorf("%w\nhelp: give the job its history: %s", err, j.depth)
		}
	}
	if err != nil {
		return nil, false, err
	}
	if spec == "" {
		change, err = repo.CommitChange(ctx, "HEAD")
	} else {
		change, err = repo.RangeChange(ctx, spec)
	}
	if err != nil {
		return nil, false, err
	}
	change.Note = strings.TrimPrefix(change.Note+"; ", "; ") + j.name + ": " + how
	return change, spec == "", nil
}

// choose returns the range to judge and says how it was chosen; "" stands for all files of HEAD.
func (j *job) choose(ctx context.Context, repo *git.Repo) (spec, how string, err error) {
	switch {
	case j.tag:
		return j.sinceTag(ctx, repo)
	case j.merged:
		parents, err := repo.Parents(ctx, "HEAD")
		if err != nil {
			return "", "", err
		}
		if len(parents) == 2 {
			_, err := repo.Resolve(ctx, parents[0])
			return parents[0] + "..HEAD", "HEAD^1", err
		}
	case j.base != "":
		_, err := repo.Resolve(ctx, j.base)
		return j.base + "..HEAD", "the base that it names", err
	case j.before != "" && strings.Trim(j.before, "0") != "":
		return j.sinceBefore(ctx, repo)
	}
	return j.sinceBranch(ctx, repo, "")
}

// sinceTag compares with the nearest older tag.
func (j *job) sinceTag(ctx context.Context, repo *git.Repo) (spec, how string, err error) {
	tag, err := repo.PreviousTag(ctx, "HEAD")
	switch {
	case err != nil:
		return "", "", err
	case tag == "":
		return "", "no older tag, every file of HEAD", nil
	}
	return "refs/tags/" + tag + "..HEAD", "since the tag " + tag, nil
}

// sinceBefore compares with what the branch had before the push, if that is still below it.
func (j *job) sinceBefore(ctx context.Context, repo *git.Repo) (spec, how string, err error) {
	shallow, err := repo.Shallow(ctx)
	if err != nil {
		return "", "", err
	}
	_, err = repo.Resolve(ctx, j.before)
	if err != nil {
		if shallow || !errors.Is(err, snapshot.ErrNoObject) {
			return "", "", err
		}
		return j.sinceBranch(ctx, repo, "what the push replaced is gone, ")
	}
	below, err := repo.IsAncestor(ctx, j.before, "HEAD")
	switch {
	case err != nil:
		return "", "", err
	case below:
		return j.before + "..HEAD", "since the push before", nil
	}
	return j.sinceBranch(ctx, repo, "the push replaced history, ")
}

// sinceBranch compares with where the change left its target branch.
func (j *job) sinceBranch(ctx context.Context, repo *git.Repo, why string) (spec, how string, err error) {
	if j.target == "" {
		return "", why + "no branch to compare with, every file of HEAD", nil
	}
	ref, id, err := repo.ResolveBranch(ctx, "origin", j.target)
	if err != nil {
		return "", "", err
	}
	head, err := repo.Resolve(ctx, "HEAD")
	if err != nil {
		return "", "", err
	}
	if id == head {
		return "", why + ref + " is HEAD itself, every file of HEAD", nil
	}
	if _, err := repo.MergeBases(ctx, id, "HEAD"); err != nil {
		return "", "", err
	}
	return id + "...HEAD", why + "merge base with " + strings.TrimPrefix(ref, "refs/remotes/"), nil
}
