"""The conformance protocol. Generated; do not edit."""
