"""What a socket says, made small: each message deflated with the one before it as dictionary."""

import zlib

WINDOW = 32_768  # bytes that deflate looks back; static/live.js keeps as many


class Deflater:
    """Packs the messages of one socket, in the order in which they are sent.

    Raw deflate (RFC 1951) with the text sent before as preset dictionary: what a move leaves as it
    was costs next to nothing. A browser needs no support for dictionaries: it reads the text before
    as stored blocks in front of the frame, which is the same stream.

    Every socket has its own, so nothing that one viewer was sent is compressed together with
    what another was.
    """

    def __init__(self) -> None:
        """Begin without a dictionary."""
        self._before = b""

    def pack(self, text: str) -> bytes:
        """Return the frame that says `text`."""
        said = text.encode()
        packer = zlib.compressobj(9, wbits=-zlib.MAX_WBITS, memLevel=9, zdict=self._before)
        self._before = said[-WINDOW:]
        return packer.compress(said) + packer.flush()
