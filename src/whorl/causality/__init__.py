"""Why a counterexample violates a property: what of it is needed, and what could go otherwise."""
