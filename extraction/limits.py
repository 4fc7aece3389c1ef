"""How much of an untrusted page we take on."""

MAX_BYTES = 10 * 1024 * 1024
MAX_NODES = 120_000
MAX_DEPTH = 3_000
MAX_TEXT = 3_000_000
