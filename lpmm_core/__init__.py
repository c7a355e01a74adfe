"""LPMM: a long-term memory that a person can see, correct and teach.

`Memory` is the whole public surface; see `lpmm_core.memory`.
"""
