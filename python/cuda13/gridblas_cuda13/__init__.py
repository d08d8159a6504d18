"""The library of gridblas with the CUDA backend. The package gridblas loads it; nothing here is for programs."""

import os

__version__ = "0.1.0"
library = os.path.join(os.path.dirname(__file__), "libgridblas.so")
