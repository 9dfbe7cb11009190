"""Being an organiser towards a referee that runs in this process."""

from pathlib import Path


def organiser_token(data: Path) -> str | None:
    """Give the token of the referee's own user, where it has made one."""
    file = data / "organiser-token"
    return file.read_text().strip() if file.exists() else None


def as_organiser(data: Path) -> tuple[tuple[str, str], ...]:
    """Give the metadata of an organiser's call."""
    token = organiser_token(data)
    return () if token is None else (("authorization", f"Bearer {token}"),)
