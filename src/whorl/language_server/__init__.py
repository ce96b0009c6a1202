"""The language server: what editors ask of a model, answered from the front end.

Its modules are functions from text and a place in it to an answer; `server.py` alone speaks the
protocol.
"""
