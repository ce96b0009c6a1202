"""Coverage: the source of a model, with a mark at what was executed and what never was."""
