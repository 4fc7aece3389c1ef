"""Images of strangers -> images of ours: decoded under limits, and encoded again.

No byte of the original is in the result: not its metadata, not what stands behind the picture, nothing that
a decoder of a browser could stumble over. Of a moving picture the first frame is kept.
"""

import io
import warnings
from dataclasses import dataclass

from PIL import Image, ImageOps

from extraction.assets.errors import AssetRefused

MAX_BYTES = 12 * 1024 * 1024
MAX_PIXELS = 24_000_000  # decoded: about 100 MB
MAX_SIDE = 16_000  # pixels; WebP ends at 16,383

# Names of Pillow's decoders; the others stay shut. ICO holds PNG and BMP.
FORMATS = ("PNG", "JPEG", "GIF", "WEBP", "BMP", "ICO", "AVIF")
SERVED_TYPE = "image/webp"

_QUALITY = 78
# Of small and flat pictures, such as logos and icons, every pixel is kept.
_LOSSLESS_PIXELS = 64 * 64
_FLAT_MODES = frozenset({"1", "P", "L", "LA"})
_LOSSLESS_FLAT_PIXELS = 400_000
_WITH_ALPHA = frozenset({"RGBA", "LA", "PA", "La", "RGBa"})


@dataclass(frozen=True, slots=True)
class MadeImage:
    """An image as it is served: `width` and `height` in CSS pixels, None where a drawing has none."""

    data: bytes
    media_type: str
    width: int | None
    height: int | None


def remake(raw: bytes) -> MadeImage:
    """Decode an image and encode it again; raises `AssetRefused` where it cannot be, or is too large."""
    if len(raw) > MAX_BYTES:
        raise AssetRefused(f"it has {len(raw):,} bytes, more than {MAX_BYTES:,}")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return _encoded(_decoded(raw))
    except AssetRefused:
        raise
    except Image.DecompressionBombError as error:
        raise AssetRefused(f"it has more than {MAX_PIXELS:,} pixels") from error
    except Exception as error:  # what a hostile file breaks in a decoder is an answer, too
        raise AssetRefused(f"it is no image that can be decoded: {type(error).__name__}") from error


def is_image(raw: bytes) -> bool:
    """Whether one of the decoders knows the beginning of these bytes."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            Image.open(io.BytesIO(raw), formats=FORMATS).close()
    except Image.DecompressionBombError:
        return True
    except Exception:  # noqa: BLE001 - as above
        return False
    return True


def _decoded(raw: bytes) -> Image.Image:
    image = Image.open(io.BytesIO(raw), formats=FORMATS)
    width, height = image.size
    if not 0 < width <= MAX_SIDE or not 0 < height <= MAX_SIDE or width * height > MAX_PIXELS:
        raise AssetRefused(f"it has {width:,} × {height:,} pixels, more than {MAX_PIXELS:,}")
    image.load()
    # Turned as browsers turn it.
    return ImageOps.exif_transpose(image)


def _encoded(image: Image.Image) -> MadeImage:
    width, height = image.size
    has_alpha = image.mode in _WITH_ALPHA or "transparency" in image.info
    is_flat = image.mode in _FLAT_MODES and width * height <= _LOSSLESS_FLAT_PIXELS
    is_lossless = is_flat or width * height <= _LOSSLESS_PIXELS
    pixels = image.convert("RGBA" if has_alpha else "RGB")
    # A bare copy: `info` would hand on profiles and metadata.
    bare = Image.frombytes(pixels.mode, pixels.size, pixels.tobytes())
    out = io.BytesIO()
    bare.save(out, "WEBP", quality=_QUALITY, method=2, lossless=is_lossless)
    return MadeImage(out.getvalue(), SERVED_TYPE, width, height)
