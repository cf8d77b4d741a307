package claims_test

import (
	"testing"

	"github.com/seed-4419f9ca/forge/pkg/parsertest"
)

func TestMain(m *testing.M) { parsertest.Main(m) }
