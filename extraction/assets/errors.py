"""What is said of an asset that is not used."""


class AssetRefused(ValueError):
    """An asset that is not shown; the message says why."""
