"""What is found out about a program before C is written: what can be merged, left out, narrowed."""
