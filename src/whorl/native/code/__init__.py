"""Code generation: a program, and what is known of it, as C."""
