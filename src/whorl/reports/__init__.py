"""Results in the formats of other tools: test reports, code reviews, continuous integration."""
