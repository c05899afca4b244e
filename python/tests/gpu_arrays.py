"""What the tests on GPUs share: the libraries that have arrays there, numbers, and whether there is
a GPU and this build has its CUDA part. If not, these tests are skipped, or gpu_stand_in.py stands
in."""

import os

import numpy as np
import pytest

stands_in = "LOOKBACK_STAND_IN" in os.environ
if stands_in:
    import gpu_stand_in

    gpu_stand_in.install()
try:
    from lookback import _cuda

    has_gpu = _cuda.count_devices() > 0
except ImportError:
    has_gpu = False
is_real = pytest.mark.skipif(stands_in, reason="no GPU")
needs_gpu = pytest.mark.skipif(not has_gpu, reason="no GPU, or no CUDA part in this build")


class ByTorch:
    def __init__(self):
        self.torch = pytest.importorskip("torch")

    def there(self, a):
        return self.torch.from_numpy(np.ascontiguousarray(a)).cuda()

    def here(self, x):
        assert isinstance(x, self.torch.Tensor) and x.is_cuda
        return x.cpu().numpy()


class ByCuPy:
    def __init__(self):
        self.cupy = pytest.importorskip("cupy")

    def there(self, a):
        return self.cupy.asarray(a)

    def here(self, x):
        assert isinstance(x, self.cupy.ndarray)
        return self.cupy.asnumpy(x)


class ByJAX:
    def __init__(self):
        self.jax = pytest.importorskip("jax")
        self.jax.config.update("jax_enable_x64", True)

    def there(self, a):
        return self.jax.device_put(np.ascontiguousarray(a), self.jax.devices("gpu")[0])

    def here(self, x):
        assert isinstance(x, self.jax.Array)
        return np.asarray(x)


@pytest.fixture(params=[ByTorch, ByCuPy], ids=["torch", "cupy"], scope="module")
def on(request):
    return request.param()


TYPES = ["bool", "int8", "uint8", "int16", "int32", "int64", "float16", "float32", "float64"]


def numbers(dtype, shape, high=5):
    """Small numbers, whose sums are exact in float32."""
    rng = np.random.default_rng(0)
    if dtype == "bool":
        return rng.random(shape) < 0.5
    low = 0 if dtype[0] == "u" else -high
    return rng.integers(low, high, shape).astype(dtype)


def same(result, expected):
    assert result.shape == expected.shape
    assert result.dtype == expected.dtype
    np.testing.assert_array_equal(result, expected)


def sums_of(a, axis=None):
    if a.dtype == np.float16:  # in float32, rounded once
        return np.cumsum(a, axis=axis, dtype=np.float32).astype(np.float16)
    return np.cumsum(a, axis=axis)
