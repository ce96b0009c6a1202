"""Properties: LTL formulas, Büchi automata, and what connects them to a program."""
