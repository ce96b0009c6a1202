"""The formatter: lays out Promela text in one style, and changes nothing else.

The end of a line separates statements, so every line keeps its tokens. What changes is how far a
line is indented, the blanks between its tokens, and how many empty lines there are.
"""
