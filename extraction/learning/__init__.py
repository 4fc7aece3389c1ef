"""Learning the extractors of the papers from pages with gold.

`samples` makes pages and their gold ready, and splits them; `training` is the one trainer, which keeps a
checkpoint and goes on from it; a module for each architecture says what it learns (`architectures` lists
them); `evaluation` counts how many blocks are labelled right. Nets are learned with PyTorch, which is
imported when one is; what was learned is a file of weights, which needs NumPy alone.
"""
