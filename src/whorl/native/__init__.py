"""The native engine: C generated from a Program, compiled with the runtime, run as a process."""
