"""Ronda's protocol. Generated from the files under `proto/`; do not edit."""
