"""The C code that a model brings along: how it is compiled, run and kept apart."""
