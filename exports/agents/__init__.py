"""Agents: the protocol, the baselines without a model, and those on a language model."""
