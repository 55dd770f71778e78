"""Elementary functions that LLVM can vectorise: no branches, no calls, plain IEEE operations.

The C library's ``exp``, ``log``, ``sin`` and ``pow`` cost 5 to 20 ns a call and keep a loop scalar.
These cost 1 to 3 ns in a loop and, being plain additions and multiplications without contraction,
give the same bits on every machine, for one point and in a batch.

Errors, measured against 80-bit arithmetic (``tests/suites/test_elementary.py`` holds them):
``exp`` and ``log`` 1 ulp, ``sin`` and ``cos`` 2.5 ulp for ``|x| < 1e5``, ``cos_turns`` 4e-16
absolute, ``power`` 2 ulp and 1 more for each unit of ``|y log x|``. Coefficients: the minimax
polynomials of FDLIBM (Sun Microsystems 1993) for log, sin and cos, Taylor's for exp after reduction
to ``|r| <= ln(2)/2``.
"""

# mypy: ignore-errors
# (numba types this module, by its own rules)

from __future__ import annotations

import llvmlite.ir as ir
from numba import njit, types
from numba.extending import intrinsic

_ROUND = 6755399441055744.0  # 1.5 * 2**52: adding it rounds to an integer
_ROUND_BITS = 0x4338000000000000
_LARGEST = 1.7976931348623157e308


@intrinsic
def bits_of(typingctx, x):
    """The 64 bits of a float as an integer."""

    def generate(context, builder, signature, arguments):
        return builder.bitcast(arguments[0], ir.IntType(64))

    return types.int64(types.float64), generate


@intrinsic
def float_of(typingctx, bits):
    """The float with these 64 bits."""

    def generate(context, builder, signature, arguments):
        return builder.bitcast(arguments[0], ir.DoubleType())

    return types.float64(types.int64), generate


@intrinsic
def floor(typingctx, x):
    """The largest integer not above ``x``, as a float."""

    def generate(context, builder, signature, arguments):
        function = builder.module.declare_intrinsic("llvm.floor", [ir.DoubleType()])
        return builder.call(function, arguments)

    return types.float64(types.float64), generate


def vectorisable(function):
    """Compile into its callers, so that their loops stay vectorisable."""
    return njit(forceinline=True, error_model="numpy")(function)


@vectorisable
def exp(x):
    """``e**x``; 0 below -708 (no subnormal results), inf above 709.78."""
    shifted = x * 1.4426950408889634 + _ROUND
    n = shifted - _ROUND
    r = (x - n * 6.93147180369123816490e-01) - n * 1.90821492927058770002e-10
    p = 1.6059043836821613e-10
    p = p * r + 2.08767569878681e-09
    p = p * r + 2.505210838544172e-08
    p = p * r + 2.755731922398589e-07
    p = p * r + 2.7557319223985893e-06
    p = p * r + 2.48015873015873e-05
    p = p * r + 0.0001984126984126984
    p = p * r + 0.001388888888888889
    p = p * r + 0.008333333333333333
    p = p * r + 0.041666666666666664
    p = p * r + 0.16666666666666666
    p = p * r + 0.5
    p = (p * r) * r + r + 1.0
    y = float_of(bits_of(p) + (bits_of(shifted) << 52))
    y = y if x > -708.0 else 0.0
    y = y if x < 709.78 else types.float64(_LARGEST) * 2.0
    return y if x == x else x


@vectorisable
def log(x):
    """Natural logarithm of ``x`` > 0; about -709 at 0 and below the normal numbers, inf at inf."""
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
    low = s * (half + (even + odd)) + exponent * 1.90821492927058770002e-10
    y = exponent * 6.93147180369123816490e-01 - ((half - low) - f)
    return y if x <= _LARGEST else x


@vectorisable
def power(x, y):
    """``x**y`` for ``x`` >= 0 and ``y`` > 0."""
    return exp(y * log(x)) if x > 0.0 else x * 0.0


@vectorisable
def _sin_small(r):
    z = r * r
    p = 2.75573137070700676789e-06 + z * (
        -2.50507602534068634195e-08 + z * 1.58969099521155010221e-10
    )
    p = 8.33333333332248946124e-03 + z * (-1.98412698298579493134e-04 + z * p)
    return r + (r * z) * (-1.66666666666666324348e-01 + z * p)


@vectorisable
def _cos_small(r):
    z = r * r
    p = -2.75573143513906633035e-07 + z * (
        2.08757232129817482790e-09 + z * -1.13596475577881948265e-11
    )
    p = -1.38888888888741095749e-03 + z * (2.48015872894767294178e-05 + z * p)
    p = z * z * (4.16666666666666019037e-02 + z * p)
    half = 0.5 * z
    w = 1.0 - half
    return w + ((1.0 - w) - half + p)


@vectorisable
def _quadrant(n, r):
    """``sin(r + n pi/2)``, ``n`` an integer of which the two lowest bits matter."""
    y = _cos_small(r) if (n & 1) != 0 else _sin_small(r)
    return -y if (n & 2) != 0 else y


@vectorisable
def _quarter_turns(x):
    """The nearest multiple of pi/2, as a float that holds the integer in its lowest bits."""
    return x * 6.36619772367581382433e-01 + _ROUND


@vectorisable
def _remainder(x, n):
    """``x - n pi/2`` in three steps (Cody and Waite)."""
    r = x - n * 1.57079632673412561417e00
    r = r - n * 6.07710050630396597660e-11
    return r - n * 2.02226624879595063154e-21


@vectorisable
def sin(x):
    """Sine of ``x`` in radians; for ``|x|`` above 1e5 the error grows like that of ``x``."""
    shifted = _quarter_turns(x)
    return _quadrant(bits_of(shifted), _remainder(x, shifted - _ROUND))


@vectorisable
def cos(x):
    """Cosine of ``x`` in radians; for ``|x|`` above 1e5 the error grows like that of ``x``."""
    shifted = _quarter_turns(x)
    return _quadrant(bits_of(shifted) + 1, _remainder(x, shifted - _ROUND))


@vectorisable
def cos_turns(v):
    """``cos(2 pi v)``: exact reduction, so exactly 1 at every integer; ``|v|`` < 2**50."""
    shifted = 4.0 * v + _ROUND
    r = v - 0.25 * (shifted - _ROUND)
    return _quadrant(bits_of(shifted) + 1, 6.283185307179586 * r)


@vectorisable
def nearest(x):
    """The nearest integer as a float, halves upwards: C's ``floor(x + 0.5)``."""
    return floor(x + 0.5)
