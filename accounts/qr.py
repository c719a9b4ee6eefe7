"""Texts as squares that a phone's camera reads (ISO/IEC 18004)."""

from base64 import b64encode

import qrcode
from qrcode.constants import ERROR_CORRECT_M
from qrcode.image.svg import SvgPathFillImage

QUIET_ZONE = 4  # squares of white around it, which the standard asks for


def svg(text: str) -> str:
    """Return `text` as a QR code: an SVG document, black on white in light and dark."""
    code = qrcode.QRCode(
        error_correction=ERROR_CORRECT_M, border=QUIET_ZONE, image_factory=SvgPathFillImage
    )
    code.add_data(text)
    return str(code.make_image().to_string(encoding="unicode"))


def as_image(text: str) -> str:
    """Return the same as the address of an image, for what no request of its own may ask for."""
    return f"data:image/svg+xml;base64,{b64encode(svg(text).encode()).decode()}"
