"""JAX functions with gradients, compiled programs (jit, vmap, grad) too. Of arrays of the CPU.

    import lookback.jax as lj
    y = lj.linear_recurrence(a, x)    # y[i] = a[i] * y[i - 1] + x[i], along the last axis

They are foreign functions of XLA, and in modules that were built where jaxlib was installed.
Everything else takes JAX's arrays outside compiled programs: lookback.scan, lookback.sort, ...
"""

from __future__ import annotations

from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from . import _core
from ._arrays import axis_of
from ._operations import MAX, MIN, PRODUCT, SUM

__all__ = [
    "cumulative_max",
    "cumulative_min",
    "cumulative_prod",
    "cumulative_sum",
    "linear_recurrence",
]

if not hasattr(_core, "jax_handlers"):
    raise ImportError(
        "lookback was built without jaxlib, whose headers lookback.jax needs: in the clone, "
        "LOOKBACK_JAX=1 pip install ."
    )
for _name, _handler in _core.jax_handlers().items():
    jax.ffi.register_ffi_target(_name, _handler, platform="cpu")

_NUMBERS = "?bBhHiIlLqQfdFD"


def _call(name: str, *arrays: jax.Array, **numbers: int) -> jax.Array:
    result = jax.ShapeDtypeStruct(arrays[-1].shape, arrays[-1].dtype)
    call = jax.ffi.ffi_call(name, result, vmap_method="broadcast_all")
    return call(*arrays, **{key: np.int64(number) for key, number in numbers.items()})


def _scan(x: jax.Array, op: int, axis: int) -> jax.Array:
    return _call("lookback_scan", x, op=op, behind=x.ndim - 1 - axis)


# ---- sums


@partial(jax.custom_vjp, nondiff_argnums=(1, 2))
def _sum(x: jax.Array, axis: int, reverse: bool) -> jax.Array:
    if reverse:
        return jnp.flip(_scan(jnp.flip(x, axis), SUM, axis), axis)
    return _scan(x, SUM, axis)


def _sum_forward(x, axis, reverse):
    return _sum(x, axis, reverse), None


def _sum_backward(axis, reverse, _, gradient):
    return (_sum(gradient, axis, not reverse),)


_sum.defvjp(_sum_forward, _sum_backward)


# ---- linear recurrences, along the last axis


@jax.custom_vjp
def _recurrence(a: jax.Array, x: jax.Array) -> jax.Array:
    return _call("lookback_linear_recurrence", a, x)


def _before(y: jax.Array, first: int) -> jax.Array:
    """What stands before each item along the last axis."""
    return jnp.concatenate([jnp.full_like(y[..., :1], first), y[..., :-1]], -1)


def _backward(a: jax.Array, gradient: jax.Array) -> jax.Array:
    # What reaches y[i] comes from gradient[i], and from y[i + 1] by a[i + 1]: the same backwards.
    return jnp.flip(_recurrence(_before(jnp.flip(a, -1), 0), jnp.flip(gradient, -1)), -1)


def _recurrence_forward(a, x):
    y = _recurrence(a, x)
    return y, (a, y)


def _recurrence_backward(kept, gradient):
    a, y = kept
    of_x = _backward(a, gradient)
    return of_x * _before(y, 0), of_x


_recurrence.defvjp(_recurrence_forward, _recurrence_backward)


# ---- products


@partial(jax.custom_vjp, nondiff_argnums=(1,))
def _product(x: jax.Array, axis: int) -> jax.Array:
    return _scan(x, PRODUCT, axis)


def _product_forward(x, axis):
    y = _product(x, axis)
    return y, (x, y)


def _product_backward(axis, kept, gradient):
    # y[k] has the factors before i, x[i], and those from i + 1 to k: the last are a recurrence's.
    # No item is divided by, so any may be 0.
    x, y, gradient = (jnp.moveaxis(array, axis, -1) for array in (*kept, gradient))
    return (jnp.moveaxis(_before(y, 1) * _backward(x, gradient), -1, axis),)


_product.defvjp(_product_forward, _product_backward)


# ---- what users call


def _taken(x: Any, axis: int | None, dtype: Any, is_widened: bool) -> tuple[jax.Array, int, Any]:
    """The items in the type that is computed in, the axis, and the type of the result."""
    x = jnp.asarray(x)
    if x.ndim == 0:
        x = x.reshape(1)
    if axis is None:
        if x.ndim > 1:
            raise ValueError(f"lookback: x has {x.ndim} dimensions; expected an axis to scan along")
        axis = 0
    if dtype is None:
        result = x.dtype
        if is_widened and result.kind in "biu":
            wide = jax.dtypes.canonicalize_dtype(np.uint64 if result.kind == "u" else np.int64)
            result = wide if wide.itemsize > result.itemsize else result
    else:
        result = jax.dtypes.canonicalize_dtype(dtype)
    is_narrow_float = jnp.issubdtype(result, jnp.floating) and result.itemsize < 4
    if result.char not in _NUMBERS and not is_narrow_float:
        raise TypeError(f"lookback: x has dtype {result}; expected numbers")
    return x.astype(jnp.float32 if is_narrow_float else result), axis_of(axis, x.ndim), result


def _with_initial(y: jax.Array, axis: int, initial: int, is_included: bool) -> jax.Array:
    if not is_included:
        return y
    shape = [1 if k == axis else n for k, n in enumerate(y.shape)]
    return jnp.concatenate([jnp.full(shape, initial, y.dtype), y], axis)


def cumulative_sum(
    x: Any,
    /,
    *,
    axis: int | None = None,
    dtype: Any = None,
    include_initial: bool = False,
    reverse: bool = False,
) -> jax.Array:
    """As `lookback.cumulative_sum`; in `reverse` from the last item on.

    Narrow integers are summed in JAX's widest: 32 bits, unless 64 are enabled.

    Examples
    --------
    >>> import lookback.jax as lj
    >>> lj.cumulative_sum([3, 1, 7, 0, 4], reverse=True).tolist()
    [15, 12, 11, 4, 4]
    """
    items, at, result = _taken(x, axis, dtype, True)
    sums = _sum(items, at, bool(reverse)).astype(result)
    return _with_initial(sums, at, 0, include_initial)


def cumulative_prod(
    x: Any, /, *, axis: int | None = None, dtype: Any = None, include_initial: bool = False
) -> jax.Array:
    """As `lookback.cumulative_prod`; types as in `cumulative_sum`.

    Examples
    --------
    >>> import lookback.jax as lj
    >>> lj.cumulative_prod([1, 2, 3, 4]).tolist()
    [1, 2, 6, 24]
    """
    items, at, result = _taken(x, axis, dtype, True)
    products = _product(items, at).astype(result)
    return _with_initial(products, at, 1, include_initial)


def _ordered(x: Any, axis: int | None, op: int) -> jax.Array:
    items, at, result = _taken(x, axis, None, False)
    if items.dtype.kind == "c":
        raise TypeError(f"lookback: x has dtype {items.dtype}, which has no order")
    return _scan(items, op, at).astype(result)


def cumulative_max(x: Any, /, *, axis: int | None = None) -> jax.Array:
    """As `lookback.cumulative_max`. It has no gradient.

    Examples
    --------
    >>> import lookback.jax as lj
    >>> lj.cumulative_max([3, 1, 7, 0, 4]).tolist()
    [3, 3, 7, 7, 7]
    """
    return _ordered(x, axis, MAX)


def cumulative_min(x: Any, /, *, axis: int | None = None) -> jax.Array:
    """As `lookback.cumulative_min`. It has no gradient.

    Examples
    --------
    >>> import lookback.jax as lj
    >>> lj.cumulative_min([3, 1, 7, 0, 4]).tolist()
    [3, 1, 1, 0, 0]
    """
    return _ordered(x, axis, MIN)


def linear_recurrence(a: Any, x: Any, *, axis: int = -1) -> jax.Array:
    """y[i] = a[i] * y[i - 1] + x[i], y[-1] = 0: as `lookback.linear_recurrence`.

    The type is what JAX makes of both, and of float32.

    Examples
    --------
    >>> import lookback.jax as lj
    >>> lj.linear_recurrence([1.0, 2.0, 3.0], [1.0, 1.0, 1.0]).tolist()
    [1.0, 3.0, 10.0]
    """
    a, x = jnp.asarray(a), jnp.asarray(x)
    if x.ndim == 0:
        raise ValueError("lookback: x has 0 dimensions; expected 1 or more")
    result = jnp.result_type(a, x, jnp.float32)
    axis = axis_of(axis, x.ndim)
    wide = jnp.broadcast_to(a.astype(result), x.shape)
    y = _recurrence(jnp.moveaxis(wide, axis, -1), jnp.moveaxis(x.astype(result), axis, -1))
    return jnp.moveaxis(y, -1, axis)
