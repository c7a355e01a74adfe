"""Write the means that are shipped with multilingual-e5-small: `python -m scripts.means`.

They change with the model or with `generic-sentences.txt`, from which they are computed. The C engine computes, since it defines the model.
"""

from __future__ import annotations

import numpy as np

from lpmm_core.provider.e5 import MEANS
from lpmm_core.provider.e5_native import NativeEngine
from lpmm_core.provider.embedding import fingerprint
from lpmm_core.provider.generic import generic_means


def main() -> None:
    """Write the file that is shipped: the means by name, and the fingerprint of the model that they are of."""
    engine = NativeEngine()
    means = generic_means(engine.embed) | {"fingerprint": fingerprint(engine.embed)}
    with MEANS.open("wb") as file:
        np.savez(file, **means)  # type: ignore[arg-type]
    print(f"{MEANS}: {', '.join(f'{name} {value.shape}' for name, value in means.items())}")


if __name__ == "__main__":
    main()
