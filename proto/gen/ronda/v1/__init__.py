"""The referee's protocol, version 1. Generated; do not edit."""
