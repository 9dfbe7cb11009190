"""The conformance protocol, version 1. Generated; do not edit."""
