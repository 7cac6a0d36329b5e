"""Exit codes, beside those of a verdict: 0 pass, 1 regression, 2 inconclusive."""

EXIT_ERROR = 2
EXIT_INTERRUPTED = 130
