"""What a program is: processes as graphs of guarded transitions, and what their steps do."""
