"""PyTorch operators with gradients, which torch.compile keeps whole. For tensors on the CPU, and on
GPUs if this build has its CUDA part.

    import lookback.torch as lt
    y = lt.linear_recurrence(a, x)    # y[i] = a[i] * y[i - 1] + x[i], along the last dimension
    y.sum().backward()

They are registered as torch.ops.lookback.*. The other functions of lookback, such as lookback.scan
and lookback.sort, take tensors too, without gradients.
"""

from __future__ import annotations

import torch
from torch import Tensor

from . import _compaction, _recurrence, _scans, _segments

__all__ = ["cumulative_prod", "cumulative_sum", "linear_recurrence", "segment_sum", "select"]


def _plain(x: Tensor) -> Tensor:
    x = x.detach().resolve_conj().resolve_neg().contiguous()
    # bfloat16 on the CPU, which NumPy lacks, is computed in float32.
    return x.float() if x.dtype == torch.bfloat16 and not x.is_cuda else x


# ---- cumulative sums


def _type_of_sums(x: Tensor) -> torch.dtype:
    if x.dtype.is_floating_point or x.dtype.is_complex:
        return x.dtype
    unsigned = (torch.uint8, torch.uint16, torch.uint32, torch.uint64)
    return torch.uint64 if x.dtype in unsigned else torch.int64


@torch.library.custom_op("lookback::cumulative_sum", mutates_args=(), device_types=("cpu", "cuda"))
def cumulative_sum(x: Tensor, dim: int = -1, reverse: bool = False) -> Tensor:
    """Sums along a dimension, from its first item on, or, with `reverse`, from its last item."""
    sums = _scans.scan(_plain(x), axis=dim, reverse=reverse)
    return sums.to(_type_of_sums(x)).reshape(x.shape)


@cumulative_sum.register_fake
def _(x: Tensor, dim: int = -1, reverse: bool = False) -> Tensor:
    return torch.empty(x.shape, dtype=_type_of_sums(x), device=x.device)


def _keep_dim(ctx, inputs, output):
    ctx.dim, ctx.reverse = inputs[1], inputs[2]


def _cumulative_sum_backward(ctx, grad):
    return cumulative_sum(grad, ctx.dim, not ctx.reverse), None, None


cumulative_sum.register_autograd(_cumulative_sum_backward, setup_context=_keep_dim)


# ---- sums of segments


@torch.library.custom_op("lookback::segment_sum", mutates_args=(), device_types=("cpu", "cuda"))
def segment_sum(x: Tensor, segments: Tensor) -> Tensor:
    """The sum of each segment x[segments[s]:segments[s + 1]], in one dimension."""
    return _segments.segment_sum(_plain(x), segments).to(_type_of_sums(x))


@segment_sum.register_fake
def _(x: Tensor, segments: Tensor) -> Tensor:
    return torch.empty(segments.shape[0] - 1, dtype=_type_of_sums(x), device=x.device)


def _keep_segments(ctx, inputs, output):
    ctx.save_for_backward(inputs[1])


def _segment_sum_backward(ctx, grad):
    (segments,) = ctx.saved_tensors
    return torch.repeat_interleave(grad, segments.diff()), None


segment_sum.register_autograd(_segment_sum_backward, setup_context=_keep_segments)


# ---- selection


@torch.library.custom_op("lookback::select", mutates_args=(), device_types=("cpu", "cuda"))
def select(x: Tensor, mask: Tensor) -> Tensor:
    """The items whose flag is true, in one dimension."""
    return _compaction.select(_plain(x), mask).to(x.dtype)


@select.register_fake
def _(x: Tensor, mask: Tensor) -> Tensor:
    return x.new_empty(torch.library.get_ctx().new_dynamic_size())


def _keep_mask(ctx, inputs, output):
    ctx.save_for_backward(inputs[1])


def _select_backward(ctx, grad):
    (mask,) = ctx.saved_tensors
    return torch.zeros(mask.shape, dtype=grad.dtype, device=grad.device).masked_scatter(mask, grad), None


select.register_autograd(_select_backward, setup_context=_keep_mask)


# ---- linear recurrences


def _type_of_states(x: Tensor) -> torch.dtype:
    return x.dtype if x.dtype.is_floating_point or x.dtype.is_complex else torch.float64


@torch.library.custom_op("lookback::linear_recurrence", mutates_args=(), device_types=("cpu", "cuda"))
def linear_recurrence(a: Tensor, x: Tensor) -> Tensor:
    """y[..., i] = a[..., i] * y[..., i - 1] + x[..., i], with y[..., -1] = 0; all in one shape.

    Floats of 16 bits are computed in float32 and rounded once. For integers the result is float64.
    """
    if a.shape != x.shape or a.dtype != x.dtype:
        raise ValueError(
            f"lookback: a is {a.dtype} {tuple(a.shape)}, x {x.dtype} {tuple(x.shape)}; "
            "expected the same"
        )
    return _recurrence.linear_recurrence(_plain(a), _plain(x)).to(_type_of_states(x))


@linear_recurrence.register_fake
def _(a: Tensor, x: Tensor) -> Tensor:
    return torch.empty(x.shape, dtype=_type_of_states(x), device=x.device)


def _keep_result(ctx, inputs, output):
    ctx.save_for_backward(inputs[0], output)


def _before(y: Tensor, first: int) -> Tensor:
    """For each item, the item before it along the last dimension; `first` for the first item."""
    return torch.cat([torch.full_like(y[..., :1], first), y[..., :-1]], -1)


def _backward(a: Tensor, grad: Tensor) -> Tensor:
    # The gradient of y[i] is grad[i], plus that of y[i + 1] times a[i + 1] (conjugated): the same
    # recurrence, run backwards.
    return linear_recurrence(_before(a.conj().flip(-1), 0), grad.flip(-1)).flip(-1)


def _linear_recurrence_backward(ctx, grad):
    a, y = ctx.saved_tensors
    of_x = _backward(a, grad)
    return of_x * _before(y, 0).conj(), of_x


linear_recurrence.register_autograd(_linear_recurrence_backward, setup_context=_keep_result)


# ---- cumulative products


@torch.library.custom_op("lookback::cumulative_prod", mutates_args=(), device_types=("cpu", "cuda"))
def cumulative_prod(x: Tensor, dim: int = -1) -> Tensor:
    """Products along a dimension, from its first item on."""
    products = _scans.cumulative_prod(_plain(x), axis=dim)
    return products.to(_type_of_sums(x)).reshape(x.shape)


@cumulative_prod.register_fake
def _(x: Tensor, dim: int = -1) -> Tensor:
    return torch.empty(x.shape, dtype=_type_of_sums(x), device=x.device)


def _keep_product(ctx, inputs, output):
    ctx.dim = inputs[1]
    ctx.save_for_backward(inputs[0], output)


def _cumulative_prod_backward(ctx, grad):
    # y[k] has three parts: the product before i, x[i], and the product from i + 1 to k. A linear
    # recurrence sums the last products times the gradients. Nothing is divided by, so any item may
    # be 0.
    shape = grad.shape
    tensors = (torch.atleast_1d(tensor) for tensor in (*ctx.saved_tensors, grad))
    x, y, grad = (tensor.movedim(ctx.dim, -1) for tensor in tensors)
    of_x = _before(y, 1).conj() * _backward(x, grad)
    return of_x.movedim(-1, ctx.dim).reshape(shape), None


cumulative_prod.register_autograd(_cumulative_prod_backward, setup_context=_keep_product)
