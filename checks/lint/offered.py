"""What the commands offer to choose from; they start without the linter."""

FORMATS = ("terminal", "json", "sarif", "github")
ENCODINGS = ("utf-8", "shift_jis", "euc-jp", "iso-2022-jp", "utf-16")
CHANGES = ("accepted", "original", "both")
