"""Kernels that only other kernels call, made callable from Python."""

from solvers.sokoban.solving.compiling import kernel


def door(inner):
    return kernel(inner.py_func)
