"""The verifier's commands."""
