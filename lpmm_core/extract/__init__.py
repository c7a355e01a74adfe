"""Text in, names and triples out: Chinese by tags and clause rules, English by dependencies, or either by a language model."""
