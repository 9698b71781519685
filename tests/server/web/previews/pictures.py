"""The pixels of pictures, for readers of codes."""

import io

import numpy as np
from numpy.typing import NDArray
from PIL import Image


def pixels_of(picture: bytes) -> NDArray[np.uint8]:
    """Return the grey values of a picture, by row and column."""
    return np.asarray(Image.open(io.BytesIO(picture)).convert("L"), dtype=np.uint8)
