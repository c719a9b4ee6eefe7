"""Texts as squares that a phone's camera reads (ISO/IEC 18004)."""

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
