"""The version of the verifier, which stands in every report. Checks, profiles and prompts carry their own as well."""

VERIFIER_VERSION = "1"
