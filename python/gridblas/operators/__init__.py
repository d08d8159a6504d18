"""Operators by name and type. gridblas.unary, binary, ... are the modules that programs use."""
