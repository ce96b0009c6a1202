"""Completion in bash, zsh and fish: scripts that are made of the parsers of the commands."""
