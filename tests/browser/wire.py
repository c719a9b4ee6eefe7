"""What goes over the line of a page, as Chromium's own network events count it."""

import base64

from playwright.sync_api import Page

MASK = 4  # bytes in front of what a browser says in a frame (RFC 6455, section 5.2)
# Mobile data at its slowest, as browsers' own tools emulate it.
THIRD_GENERATION = {
    "offline": False,
    "latency": 400,  # ms
    "downloadThroughput": 400_000 / 8,  # bytes a second
    "uploadThroughput": 400_000 / 8,
}


class Wire:
    """Counts bytes: of answers as they were sent, headers included, and of socket frames with their
    headers, both ways. Neither TCP's nor TLS's own, which no page decides on."""

    def __init__(self, page: Page) -> None:
        self._devtools = page.context.new_cdp_session(page)
        self._devtools.send("Network.enable")
        self._devtools.on("Network.loadingFinished", self._answer)
        self._devtools.on("Network.webSocketFrameReceived", self._received)
        self._devtools.on("Network.webSocketFrameSent", self._sent)
        self._devtools.on("Network.requestWillBeSent", self._asked)
        self.hosts: set[str] = set()
        self.frames: list[int] = []  # those received, one by one
        self.answers = self.sent = 0

    def begin(self) -> None:
        """Count from here."""
        self.frames, self.answers, self.sent = [], 0, 0

    def slow_down(self) -> None:
        """Let everything go at the speed of 3G."""
        self._devtools.send("Network.emulateNetworkConditions", THIRD_GENERATION)

    def _asked(self, event: dict) -> None:
        self.hosts.add(event["request"]["url"].split("/")[2])

    def _answer(self, event: dict) -> None:
        self.answers += round(event["encodedDataLength"])

    def _received(self, event: dict) -> None:
        self.frames.append(frame_size(event["response"]))

    def _sent(self, event: dict) -> None:
        self.sent += frame_size(event["response"]) + MASK


def frame_size(frame: dict) -> int:
    """Return the bytes of a frame of DevTools: opcode 2 tells its payload in base64."""
    said = frame["payloadData"]
    length = len(base64.b64decode(said) if frame["opcode"] == 2 else said.encode())
    return length + (2 if length < 126 else 4)
