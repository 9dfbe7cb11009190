"""Signs of life on a stream that has nothing to say.

They come so long after the last message, whatever goes on behind the scenes meanwhile: that a
seat has answered under seal, or that a move was refused, must not show in when they come.
"""

import asyncio


class SignsOfLife:
    """Says when a stream must give its next sign of life."""

    def __init__(self, seconds: float) -> None:
        """Give one after so many seconds without a message, reckoned from now."""
        self._seconds = seconds
        self._due = 0.0
        self.said()

    def said(self) -> None:
        """Reckon anew: a message has gone out."""
        self._due = asyncio.get_running_loop().time() + self._seconds

    async def wait(self, news: asyncio.Event) -> bool:
        """Wait for news; False: it is time for a sign of life."""
        left = self._due - asyncio.get_running_loop().time()
        try:
            await asyncio.wait_for(news.wait(), left)
        except TimeoutError:
            return False
        return True
