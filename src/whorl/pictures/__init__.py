"""Diagrams of graphs: what is drawn, where its parts go, and the drawing itself."""
