"""From Promela text to a checked syntax tree."""
