"""What people write who come from C and its kin, and what Promela has for it."""

from __future__ import annotations

# Words that begin a statement elsewhere.
STATEMENTS = {
    "while": "a loop is 'do :: condition -> ... :: else -> break od'",
    "until": "a loop is 'do :: condition -> break :: else -> ... od'",
    "repeat": "a loop is 'do :: ... od', left by 'break'",
    "loop": "a loop is 'do :: ... od', left by 'break'",
    "switch": "a choice is 'if :: x == 1 -> ... :: x == 2 -> ... :: else -> ... fi'",
    "case": "a choice is 'if :: x == 1 -> ... :: x == 2 -> ... :: else -> ... fi'",
    "elif": "a choice is 'if :: a -> ... :: b -> ... :: else -> ... fi'",
    "elseif": "a choice is 'if :: a -> ... :: b -> ... :: else -> ... fi'",
    "continue": "put a label before the 'do' and 'goto' it",
    "var": "a declaration begins with a type: 'byte x'",
    "let": "a declaration begins with a type: 'byte x'",
    "call": "an inline is called by its name alone, a process is started by 'run name(...)'",
    "await": "to wait for a condition, write the condition as a statement: 'x > 0'",
    "wait": "to wait for a condition, write the condition as a statement: 'x > 0'",
}

# Names of types elsewhere.
TYPES = {
    "char": "'byte'",
    "uint8_t": "'byte'",
    "uchar": "'byte'",
    "int8_t": "'short': there is no signed type of 8 bits",
    "int16_t": "'short'",
    "int32_t": "'int'",
    "uint16_t": "'unsigned x : 16'",
    "uint32_t": "'int', or 'unsigned x : 31'",
    "uint": "'int', or 'unsigned x : 16'",
    "long": "'int', of 32 bits",
    "size_t": "'int', or 'unsigned x : 16'",
    "signed": "'int' or 'short'",
    "boolean": "'bool'",
    "_Bool": "'bool'",
    "string": "'mtype' for a few fixed names; there are no strings",
    "channel": "'chan'",
    "integer": "'int'",
    "Integer": "'int'",
    "float": "whole numbers only: 'int'",
    "double": "whole numbers only: 'int'",
    "real": "whole numbers only: 'int'",
}

# Other words that stand where a declaration does.
DECLARATIONS = {
    "const": "a constant is '#define N 3'",
    "struct": "a type with fields is 'typedef name { byte a; int b }'",
    "class": "a type with fields is 'typedef name { byte a; int b }'",
    "union": "a type with fields is 'typedef name { byte a; int b }'",
    "enum": "names for values are 'mtype = { a, b, c }'",
    "static": "a variable outside every process is global, one inside lives as long as its process",
    "extern": "'#include' the file that declares it",
    "volatile": "leave it out: every variable is read afresh each time",
    "process": "a process is 'proctype name() { ... }'",
    "thread": "a process is 'proctype name() { ... }'",
    "module": "a process is 'proctype name() { ... }'",
    "procedure": "a process is 'proctype name() { ... }', a piece of text 'inline name(a) { ... }'",
    "macro": "a piece of text with a name is 'inline name(a) { ... }' or '#define'",
    "import": "write '#include \"file\"'",
    "include": "write '#include \"file\"'",
    "define": "write '#define NAME text'",
}
FUNCTION = (
    "a process is 'proctype {0}() {{ ... }}' (or 'init {{ ... }}'),"
    " a piece of text with a name is 'inline {0}(...) {{ ... }}'"
)

# Words that stand between two expressions.
OPERATORS = {
    "and": "'and' is written '&&'",
    "or": "'or' is written '||'",
    "not": "'not' is written '!'",
    "xor": "'xor' is written '^', or '!=' of two truth values",
    "mod": "'mod' is written '%'",
    "div": "'div' is written '/'",
    "is": "equality is '=='",
    "then": "'then' is written '->'",
    "implies": "'a implies b' is '(!a || b)' outside an ltl block",
}

# Names that are declared elsewhere.
CONSTANTS = {
    "NULL": "there are no pointers: declare a constant of your own, such as '#define NULL 255'",
    "null": "there are no pointers: declare a constant of your own, such as '#define null 255'",
    "nil": "there are no pointers: declare a constant of your own, such as '#define nil 255'",
    "TRUE": "write 'true'",
    "True": "write 'true'",
    "FALSE": "write 'false'",
    "False": "write 'false'",
    "self": "a process knows its own number as '_pid'",
    "pid": "a process knows its own number as '_pid'",
    "this": "a process knows its own number as '_pid'",
}

IF = "an 'if' is 'if :: condition -> ... :: else -> ... fi'"
DO = "a loop is 'do :: condition -> ... :: else -> break od'"
FOR = "a 'for' is 'for (i : 0 .. 9) { ... }' or 'for (i in array) { ... }', with i declared before"
EQUALITY = "equality is '=='"
CONDITIONAL = "a conditional expression is '(condition -> a : b)'"
DIMENSIONS = "put an array into a typedef, and make an array of that"


def statement(word: str) -> str | None:
    """What Promela has for a word that begins a statement elsewhere."""
    return STATEMENTS.get(word)


def declaration(word: str) -> str | None:
    """What Promela has for a word that begins a declaration elsewhere."""
    if word in TYPES:
        return f"Promela has {TYPES[word]}"
    return DECLARATIONS.get(word)
