"""Reads a formula by itself: what `whorl property` takes."""

from __future__ import annotations

import re

from whorl.diagnostics import Reporter, Source
from whorl.language.formula import Formula
from whorl.promela.lexer import lex
from whorl.promela.ltl import LtlParser
from whorl.promela.stream import Names, Stream, TooDeep, Unparsable
from whorl.property.automaton import MOST_PROPOSITIONS


def parse_formula(text: str, name: str = "<formula>") -> Formula:
    """The formula that `text` is, in either spelling. WhorlError, with a caret, if it is none.

    Its atoms are names or any Promela expressions; nothing has to be declared.
    """
    source = Source(name, text)
    reporter = Reporter()
    tokens = lex(source)
    for token in tokens:
        if token.kind == "bad":
            reporter.error(token.span, *token.problem)
    reporter.raise_if_errors()
    proctypes = set(re.findall(r"(\w+)\s*(?:\[[^][]*\]\s*)?@", text))
    stream = Stream(tokens, Names(proctypes, set()), reporter)
    try:
        formula = LtlParser(stream, bare=True).parse()
    except (Unparsable, TooDeep):
        reporter.raise_if_errors()
        raise
    if len(formula.propositions) > MOST_PROPOSITIONS:
        whole = tokens[0].span.until(tokens[-1].span)
        reporter.error(
            whole,
            f"the formula has more than {MOST_PROPOSITIONS} propositions",
            "the conjuncts of a formula can be translated one by one",
        )
    reporter.raise_if_errors()
    return formula
