"""Reading along on a line: the text messages in the bytes that one end writes."""

_TEXT, _FIN, _MASKED = 1, 0x80, 0x80


class Speech:
    """What one end says, first as HTTP and then as WebSocket frames.

    >>> speech = Speech()
    >>> speech.feed(b"HTTP/1.1 101 Switching Protocols\\r\\n\\r\\n\\x81")
    []
    >>> speech.feed(b"\\x02hi\\x89\\x00")
    ['hi']
    """

    def __init__(self) -> None:
        self._bytes = bytearray()
        self._greeted = False

    def feed(self, data: bytes) -> list[str]:
        """Take in the next bytes; returns the messages that are complete with them."""
        self._bytes += data
        if not self._greeted:
            _, found, rest = self._bytes.partition(b"\r\n\r\n")
            if not found:
                return []
            self._greeted, self._bytes = True, rest
        said = []
        while (frame := self._next()) is not None:
            opcode, payload = frame
            if opcode == _TEXT:
                said.append(payload.decode("utf-8", "replace"))
        return said

    def _next(self) -> tuple[int, bytes] | None:
        """The next whole frame: its opcode and what is in it."""
        data = self._bytes
        if len(data) < 2:
            return None
        size, start = data[1] & 0x7F, 2
        if size > 125:
            wide = 2 if size == 126 else 8
            size, start = int.from_bytes(data[2 : 2 + wide]), 2 + wide
        masked = bool(data[1] & _MASKED)
        end = start + 4 * masked + size
        if len(data) < start or len(data) < end:
            return None
        payload = bytes(data[end - size : end])
        if masked:
            payload = _unmask(payload, bytes(data[start : start + 4]))
        opcode = data[0] & 0x0F
        del data[:end]
        return opcode, payload


def _unmask(payload: bytes, mask: bytes) -> bytes:
    size = len(payload)
    key = (mask * (size // 4 + 1))[:size]
    return (int.from_bytes(payload) ^ int.from_bytes(key)).to_bytes(size)
