"""How people come to a table: its code, its link, the QR code and the picture of that link."""
