"""The GPU engine: kernels made of the generated C, and a host that drives them level by level."""
