"""Calls that are for organisers alone: a token in the metadata `authorization` opens them."""

from collections.abc import Collection

from ronda.v1 import referee_service_pb2
from ronda_referee.checked_calls import Call, Context
from ronda_referee.errors import ServiceError, ServiceReason
from ronda_referee.organisers import Organisers

_SERVICE = referee_service_pb2.DESCRIPTOR.services_by_name["RefereeService"].full_name

_ALWAYS = ("CancelMatch", "BackupStore")
_CREATION = "CreateMatch"
_HEADER = "authorization"
_SCHEME = "bearer"


class OrganiserCalls:
    """Refuses organisers' calls to everybody else."""

    def __init__(self, organisers: Organisers, *, create_needs_token: bool) -> None:
        """Know the organisers, and whether only they create matches."""
        names: Collection[str] = (*_ALWAYS, _CREATION) if create_needs_token else _ALWAYS
        self._methods = {f"/{_SERVICE}/{name}" for name in names}
        self._organisers = organisers

    def check(self, call: Call, context: Context) -> None:
        """Refuse an organisers' call without a token of theirs.

        Raises:
            ServiceError: there is none, or a wrong one.
        """
        if call.method not in self._methods:
            return
        token = _bearer_token(context)
        if token is None or not self._organisers.know(token):
            what = "there is none" if token is None else "this is none"
            raise ServiceError(
                ServiceReason.ORGANISER_ONLY,
                f"the call needs an organiser's token, and {what}: send the metadata "
                "`authorization` with `Bearer ` and the token",
                call=call.method.rpartition("/")[2],
            )


def _bearer_token(context: Context) -> str | None:
    for key, value in context.invocation_metadata() or ():
        if key == _HEADER and isinstance(value, str):
            scheme, _, token = value.partition(" ")
            if scheme.lower() == _SCHEME:
                return token.strip()
    return None
