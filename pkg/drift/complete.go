package drift

import "context"

// Complete works out what Run left open because it needed no parser: both fingerprints of every result, as far as there is
// something to take one from, and the lines of the definition. The engine of the Judge must still be running.
func Complete(ctx context.Context, list []*Result) error {
	var open []*Result
	for _, r := range list {
		if r.judge != nil && (r.Before == "" || r.After == "" || r.Anchor.Symbol != "" && r.Lines.First == 0) {
			ask := *r
			ask.undecide = true
			open = append(open, &ask)
		}
	}
	if len(open) == 0 {
		return nil
	}
	j := open[0].judge
	if err := j.fingerprint(ctx, open); err != nil {
		return err
	}
	for _, r := range list {
		if r.judge == j {
			j.complete(r)
		}
	}
	return Complete(ctx, othersThan(j, list))
}

func (j *Judge) complete(r *Result) {
	if r.pre.exists() && r.Before == "" {
		if then := j.past(r); then != nil {
			r.Before = then.digest.Whole
		}
	}
	if r.Status == Missing || !r.post.exists() {
		return
	}
	to := r.Anchor
	if r.Moved != nil {
		to = r.Moved
	}
	if now := j.of(r.post, to); now.err == nil && now.digest.Whole != "" {
		if r.After == "" {
			r.After = now.digest.Whole
		}
		r.Lines = now.lines
	}
}

// othersThan returns the results of other judges.
func othersThan(j *Judge, list []*Result) []*Result {
	var out []*Result
	for _, r := range list {
		if r.judge != j {
			out = append(out, r)
		}
	}
	return out
}
