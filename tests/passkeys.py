"""A passkey as a device keeps it (Web Authentication, level 3), for tests without a browser."""

import json
import os
from hashlib import sha256

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from fido2.cose import ES256
from fido2.utils import websafe_decode, websafe_encode
from fido2.webauthn import (
    AttestationObject,
    AttestedCredentialData,
    AuthenticatorData,
    CollectedClientData,
)

HOST = "testserver"
F = AuthenticatorData.FLAG


class Passkey:
    """One key, kept for one person at one site."""

    def __init__(self) -> None:
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.id = os.urandom(16)
        self.user = ""

    def create(self, options: dict) -> dict:
        """Return what a browser answers to options of `navigator.credentials.create`."""
        asked = options["publicKey"]
        self.user = asked["user"]["id"]
        public = ES256.from_cryptography_key(self.key.public_key())
        data = AuthenticatorData.create(
            sha256(HOST.encode()).digest(),
            F.UP | F.UV | F.AT,
            0,
            AttestedCredentialData.create(b"\0" * 16, self.id, public),
        )
        attested = AttestationObject.create("none", data, {})
        answer = {"attestationObject": websafe_encode(attested), "transports": ["internal"]}
        answer["clientDataJSON"] = websafe_encode(self._said("create", asked))
        return self._sent(answer) | {"clientExtensionResults": {"credProps": {"rk": True}}}

    def get(self, options: dict) -> dict:
        """Return what a browser answers to options of `navigator.credentials.get`."""
        data = AuthenticatorData.create(sha256(HOST.encode()).digest(), F.UP | F.UV, 1)
        said = self._said("get", options["publicKey"])
        signature = self.key.sign(data + sha256(said).digest(), ec.ECDSA(SHA256()))
        answer = {"authenticatorData": data, "signature": signature, "clientDataJSON": said}
        encoded = {name: websafe_encode(value) for name, value in answer.items()}
        return self._sent(encoded | {"userHandle": self.user}) | {"clientExtensionResults": {}}

    def _sent(self, answer: dict) -> dict:
        name = websafe_encode(self.id)
        return {"id": name, "rawId": name, "type": "public-key", "response": answer}

    @staticmethod
    def _said(what: str, asked: dict) -> bytes:
        challenge = websafe_decode(asked["challenge"])
        origin = f"https://{HOST}"
        return CollectedClientData.create(f"webauthn.{what}", challenge, origin)


def options_of(page: str) -> dict:
    """Return the options that a page hands to its script."""
    found = page.partition('id="passkey-options"')[2].partition(">")[2].partition("</script>")[0]
    return json.loads(found)
