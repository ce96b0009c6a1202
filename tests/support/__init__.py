"""What several test modules share; the folder `tests` is on the path, so it is `import support`."""
