"""Elementary functions that LLVM can vectorise: no branches, no calls, plain IEEE operations.

``exp``, ``log``, ``sin`` and ``pow`` of the C library take 5 to 20 ns per call and prevent the
vectorisation of a loop. These functions take 1 to 3 ns in a loop. They consist of additions and
multiplications without contraction, and therefore give the same bits on every machine, for a single
point and in a batch.

Errors, measured against 80-bit arithmetic by ``tests/suites/test_elementary.py``:

- ``exp`` and ``log``: 1 ulp.
- ``sin``: 2.5 ulp for ``|x| < 1e5``.
- ``cos`` for ``|x| < 1e5``, and ``cos_turns``: 5e-16 absolute.
- ``power``: 1 ulp, plus 0.2 ulp times ``y``. It keeps the rounding errors of the logarithm and of
  the product.

Larger arguments make the result of ``sin`` and ``cos`` inaccurate, but it stays within [-1, 1].

The coefficients of ``log`` are those of FDLIBM (Sun Microsystems 1993). The others belong to
minimax polynomials on half a turn or on ``|r| <= ln(2) / 2``, which were fitted with 50 digits by
Lawson's iteration; the errors of these polynomials are below 6e-18.

A number that is represented as the sum of two floats is called ``x`` and ``low`` here: ``x`` is the
sum rounded to a float, ``low`` the rounding error.
"""

# mypy: ignore-errors
# Reason: numba infers the types of these functions from their arguments.

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import llvmlite.ir as ir
from numba import njit, types
from numba.extending import intrinsic

# 1.5 * 2**52. A sum with it is rounded to an integer, which its lowest bits hold.
_ROUND = 6755399441055744.0
_ROUND_BITS = 0x4338000000000000  # the bits of _ROUND
_LARGEST = 1.7976931348623157e308  # the largest finite float
_UPPER_BITS = -(1 << 27)  # clears the lower 27 of the 53 bits of a significand

# ln 2 as the sum of two floats; the first has 21 zero bits at its end, so that its products with
# exponents are exact.
_LN2 = 6.93147180369123816490e-01
_LN2_LOW = 1.90821492927058770002e-10


@intrinsic
def bits_of(typingctx, x):
    """Return the 64 bits of a float as an integer."""

    def generate(context, builder, signature, arguments):
        return builder.bitcast(arguments[0], ir.IntType(64))

    return types.int64(types.float64), generate


@intrinsic
def float_of(typingctx, bits):
    """Return the float that has these 64 bits."""

    def generate(context, builder, signature, arguments):
        return builder.bitcast(arguments[0], ir.DoubleType())

    return types.float64(types.int64), generate


@intrinsic
def floor(typingctx, x):
    """Return the largest integer not above ``x``, as a float."""

    def generate(context, builder, signature, arguments):
        function = builder.module.declare_intrinsic("llvm.floor", [ir.DoubleType()])
        return builder.call(function, arguments)

    return types.float64(types.float64), generate


def vectorisable(function: Callable[..., Any]) -> Any:
    """Return ``function`` compiled by numba for inlining into compiled callers.

    Inlining keeps the loops of the callers vectorisable. Python code cannot call the result.
    """
    return njit(
        forceinline=True, error_model="numpy", no_cpython_wrapper=True, no_cfunc_wrapper=True
    )(function)


@vectorisable
def _clear_lower_half(x: float) -> float:
    """Set the lower 27 bits of ``x`` to 0, so that the product of two results is exact."""
    return float_of(bits_of(x) & _UPPER_BITS)


@vectorisable
def _exp_of_sum(x: float, low: float) -> float:
    """Compute ``e**(x + low)``, where ``|low|`` is much smaller than 1 and ``|x|``.

    ``e**(x + low) = 2**n e**r`` with ``|r| <= ln(2) / 2``.
    """
    shifted = x * 1.4426950408889634 + _ROUND  # 1 / ln 2
    n = shifted - _ROUND
    upper = x - n * _LN2
    lower = n * _LN2_LOW - low
    r = upper - lower
    p = 2.5000140099066817e-08
    p = p * r + 2.7630392016731313e-07
    p = p * r + 2.7557586851328193e-06
    p = p * r + 2.4801492722388997e-05
    p = p * r + 0.00019841269505218204
    p = p * r + 0.0013888888943964922
    p = p * r + 0.008333333333495481
    p = p * r + 0.04166666666652901
    p = p * r + 0.1666666666666641
    p = p * r + 0.5000000000000011
    linear = 1.0 + upper
    p = linear + (((upper - (linear - 1.0)) - lower) + (p * r) * r)
    y = float_of(bits_of(p) + (bits_of(shifted) << 52))
    y = y if x < 709.78 else x * _LARGEST  # inf; NaN stays NaN
    return 0.0 if x < -708.0 else y


@vectorisable
def _log_as_sum(x: float) -> tuple[float, float]:
    """Compute the natural logarithm of ``x`` > 0 as a float and its rounding error; see ``log``.

    ``x = 2**exponent m`` with ``sqrt(1/2) <= m < sqrt(2)``.
    """
    # 0x3FE6A09E667F3BCD are the bits of sqrt(1/2), 0x3FF0000000000000 those of 1.
    bits = bits_of(x) + (0x3FF0000000000000 - 0x3FE6A09E667F3BCD)
    exponent = float_of(((bits >> 52) - 1023) + _ROUND_BITS) - _ROUND
    m = float_of((bits & 0x000FFFFFFFFFFFFF) + 0x3FE6A09E667F3BCD)
    f = m - 1.0
    s = f / (2.0 + f)
    z = s * s
    w = z * z
    even = w * (0.3999999999940941908 + w * (0.2222219843214978396 + w * 0.1531383769920937332))
    odd = 0.1818357216161805012 + w * 0.1479819860511658591
    odd = z * (0.6666666666666735130 + w * (0.2857142874366239149 + w * odd))
    half = 0.5 * f * f
    scaled = exponent * _LN2
    linear = scaled + f
    low = s * (half + (even + odd)) + exponent * _LN2_LOW
    low = (f - (linear - scaled)) + (low - half)
    y = linear + low
    return y if x <= _LARGEST else x, low - (y - linear)


@vectorisable
def exp(x: float) -> float:
    """Compute ``e**x``; 0 below -708 (no subnormal results), inf above 709.78."""
    return _exp_of_sum(x, 0.0)


@vectorisable
def log(x: float) -> float:
    """Compute the natural logarithm of ``x`` >= 0; inf at inf, about -709 at 0 and subnormals."""
    return _log_as_sum(x)[0]


@vectorisable
def exp_of_product(y: float, x: float, low: float = 0.0) -> float:
    """Compute ``e**(y (x + low))`` without rounding the product (Dekker's algorithm).

    Args:
        y: A float.
        x: The second factor, rounded to a float.
        low: The rounding error of ``x``.
    """
    upper_y, upper_x = _clear_lower_half(y), _clear_lower_half(x)
    product_low = upper_y * ((x - upper_x) + low) + (y - upper_y) * x
    return _exp_of_sum(upper_y * upper_x, product_low)


@vectorisable
def power(x: float, y: float) -> float:
    """Compute ``x**y`` for ``x`` >= 0 and ``y`` > 0."""
    logarithm, low = _log_as_sum(x)
    z = exp_of_product(y, logarithm, low)
    return z if x > 0.0 else x * 0.0


@vectorisable
def _half_turns(x: float) -> float:
    """Return ``n + _ROUND``, where ``n`` is ``x / pi`` rounded to an integer."""
    return x * 0.3183098861837907 + _ROUND  # 1 / pi


@vectorisable
def _remainder(x: float, n: float) -> float:
    """Compute ``x - n pi`` in three steps (Cody and Waite); 0 if ``x`` is too large, NaN at NaN."""
    r = x - n * 3.14159265346825122834e00
    r = r - n * 1.21542010126079319532e-10
    r = r - n * 4.04453249759190126309e-21
    return r if abs(r) < 1.6 else r - r


@vectorisable
def _negate_if_odd(y: float, n: int) -> float:
    """Return ``-y`` if the lowest bit of the integer ``n`` is set, else ``y``."""
    return float_of(bits_of(y) ^ (n << 63))


@vectorisable
def _cos_half_turn(r: float) -> float:
    """Compute the cosine of ``r`` for ``|r| <= pi / 2``."""
    z = r * r
    p = -1.1463633119033433e-11 + z * 4.616109559112516e-14
    p = -2.755731706695034e-07 + z * (2.0876592508134754e-09 + z * p)
    p = -0.0013888888888829974 + z * (2.480158728576859e-05 + z * p)
    return 1.0 + z * (-0.5 + z * (0.04166666666666583 + z * p))


@vectorisable
def sin(x: float) -> float:
    """Compute the sine of ``x`` in radians; the error grows with ``|x|`` above 1e5."""
    shifted = _half_turns(x)
    r = _remainder(x, shifted - _ROUND)
    z = r * r
    p = -7.64299044219456e-13 + z * 2.721163928508574e-15
    p = -2.5052106871993876e-08 + z * (1.605893966556067e-10 + z * p)
    p = -0.00019841269841209167 + z * (2.7557319211128314e-06 + z * p)
    p = -0.16666666666666666 + z * (0.008333333333333194 + z * p)
    return _negate_if_odd(r + (r * z) * p, bits_of(shifted))


@vectorisable
def cos(x: float) -> float:
    """Compute the cosine of ``x`` in radians; the error grows with ``|x|`` above 1e5."""
    shifted = _half_turns(x)
    r = _remainder(x, shifted - _ROUND)
    return _negate_if_odd(_cos_half_turn(r), bits_of(shifted))


@vectorisable
def cos_turns(v: float) -> float:
    """Compute ``cos(2 pi v)``; exactly 1 at integers, because ``v`` is reduced without rounding.

    For ``|v| >= 2**50`` the result is inaccurate, but within [-1, 1].
    """
    shifted = 2.0 * v + _ROUND
    r = 2.0 * v - (shifted - _ROUND)
    r = r if abs(r) <= 0.5 else r - r
    return _negate_if_odd(_cos_half_turn(3.141592653589793 * r), bits_of(shifted))


@vectorisable
def nearest(x: float) -> float:
    """Round ``x`` to the nearest integer, halves upwards, as C's ``floor(x + 0.5)``; a float."""
    return floor(x + 0.5)
