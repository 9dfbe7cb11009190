"""The signing key is made once, kept to the owner's eyes, and never guessed at when damaged."""

import stat
import subprocess
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from ronda_referee import signing_key
from ronda_referee.durable_file import write_durably
from ronda_referee.signing_key import SigningKey, SigningKeyError, load_or_create, verify

# The second test vector of RFC 8032, section 7.1.
RFC_SECRET = "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb"
RFC_PUBLIC = "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c"
RFC_SIGNATURE = (
    "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da"
    "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00"
)


def test_signatures_are_those_of_the_standard() -> None:
    """The standard's own vector comes out, and verifies."""
    key = SigningKey(Ed25519PrivateKey.from_private_bytes(bytes.fromhex(RFC_SECRET)))
    assert key.public_key.hex() == RFC_PUBLIC
    assert key.sign(b"\x72").hex() == RFC_SIGNATURE
    assert verify(bytes.fromhex(RFC_PUBLIC), bytes.fromhex(RFC_SIGNATURE), b"\x72")


@pytest.mark.parametrize(
    ("public", "signature", "message"),
    [
        (RFC_PUBLIC, RFC_SIGNATURE, b"\x73"),
        (RFC_PUBLIC, "93" + RFC_SIGNATURE[2:], b"\x72"),
        (RFC_PUBLIC, RFC_SIGNATURE[:-2], b"\x72"),
        (RFC_PUBLIC, "", b"\x72"),
        ("d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a", RFC_SIGNATURE, b"r"),
        ("", RFC_SIGNATURE, b"\x72"),
        (RFC_PUBLIC[:-2], RFC_SIGNATURE, b"\x72"),
    ],
    ids=["message", "signature", "short", "empty", "other key", "no key", "short key"],
)
def test_what_was_not_signed_does_not_verify(public: str, signature: str, message: bytes) -> None:
    """Anything changed or of a wrong size is simply not valid."""
    assert not verify(bytes.fromhex(public), bytes.fromhex(signature), message)


def test_the_first_start_makes_a_key_and_later_ones_use_it(tmp_path: Path) -> None:
    """One file, for the owner alone, and the same key ever after."""
    path = tmp_path / "signing_key.pem"
    key = load_or_create(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [entry.name for entry in tmp_path.iterdir()] == ["signing_key.pem"]
    again = load_or_create(path)
    assert again.public_key == key.public_key
    assert verify(key.public_key, again.sign(b"head"), b"head")


def test_other_tools_read_the_key_file(tmp_path: Path) -> None:
    """The file is one that other tools understand."""
    path = tmp_path / "signing_key.pem"
    key = load_or_create(path)
    ran = subprocess.run(
        ["node", "-e", NODE_PUBLIC_KEY, str(path)], capture_output=True, text=True, check=True
    )
    assert ran.stdout.strip() == key.public_key.hex()


NODE_PUBLIC_KEY = """
const { createPublicKey } = require("node:crypto");
const pem = require("node:fs").readFileSync(process.argv[1]);
const { x } = createPublicKey(pem).export({ format: "jwk" });
console.log(Buffer.from(x, "base64url").toString("hex"));
"""


def test_two_keys_are_never_the_same(tmp_path: Path) -> None:
    """Each data folder has a key of its own."""
    first = load_or_create(tmp_path / "a.pem")
    assert first.public_key != load_or_create(tmp_path / "b.pem").public_key


def test_a_key_made_meanwhile_by_another_process_wins(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the file appears while one is being made, that one stays and is used."""
    path = tmp_path / "signing_key.pem"
    other = load_or_create(tmp_path / "other.pem")

    def appear_first(target: Path, chunks: list[bytes], *, mode: int, replace: bool) -> None:
        (tmp_path / "other.pem").rename(target)
        write_durably(target, chunks, mode=mode, replace=replace)

    monkeypatch.setattr(signing_key, "write_durably", appear_first)
    assert load_or_create(path).public_key == other.public_key
    assert [entry.name for entry in tmp_path.iterdir()] == ["signing_key.pem"]


@pytest.mark.parametrize(
    "content",
    [b"", b"-----BEGIN PRIVATE KEY-----\nMC4C", b"\x00\xff" * 100],
    ids=["empty", "cut short", "noise"],
)
def test_a_damaged_key_file_is_named_and_left_alone(tmp_path: Path, content: bytes) -> None:
    """A new key would make every older log unverifiable, so none is made silently."""
    path = tmp_path / "signing_key.pem"
    path.write_bytes(content)
    path.chmod(0o600)
    with pytest.raises(SigningKeyError, match=r"signing_key\.pem: is no readable signing key"):
        load_or_create(path)
    assert path.read_bytes() == content


def test_a_key_of_another_kind_is_refused(tmp_path: Path) -> None:
    """Only Ed25519 signs logs."""
    path = tmp_path / "signing_key.pem"
    pem = X25519PrivateKey.generate().private_bytes(
        Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()
    )
    path.write_bytes(pem)
    path.chmod(0o600)
    with pytest.raises(SigningKeyError, match="an Ed25519 key is needed"):
        load_or_create(path)


def test_a_key_file_that_others_can_read_is_refused(tmp_path: Path) -> None:
    """A key that others may have copied proves nothing."""
    path = tmp_path / "signing_key.pem"
    load_or_create(path)
    path.chmod(0o640)
    with pytest.raises(SigningKeyError, match=r"mode 0640\); chmod 600 it"):
        load_or_create(path)


def test_a_folder_that_is_lacking_is_named(tmp_path: Path) -> None:
    """Where the file cannot be made, the error has the path and the system's reason."""
    path = tmp_path / "lacking" / "signing_key.pem"
    with pytest.raises(SigningKeyError, match="cannot be read or made: No such file"):
        load_or_create(path)
