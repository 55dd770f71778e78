"""Elementary functions that LLVM can vectorise: no branches, no calls, plain IEEE operations.

The C library's ``exp``, ``log``, ``sin`` and ``pow`` cost 5 to 20 ns a call and keep a loop scalar.
These cost 1 to 3 ns in a loop and, being plain additions and multiplications without contraction,
give the same bits on every machine, for one point and in a batch.

Errors, measured against 80-bit arithmetic (``tests/suites/test_elementary.py`` holds them):
``exp`` and ``log`` 1 ulp, ``sin`` 2.5 ulp for ``|x| < 1e5``, ``cos`` (there) and ``cos_turns``
5e-16 absolute, ``power`` 1 ulp and 0.2 more for each unit of ``y``, since it keeps what its
logarithm and their product lack. Sines and cosines of huge numbers mean nothing, but they stay
within [-1, 1]. Coefficients: of FDLIBM
(Sun Microsystems 1993) for log; for the others minimax polynomials after reduction to half a turn,
or to ``|r| <= ln(2) / 2``, fitted with 50 digits by Lawson's iteration; their own errors are below
6e-18.
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
_UPPER_BITS = -(1 << 27)


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
    return njit(
        forceinline=True, error_model="numpy", no_cpython_wrapper=True, no_cfunc_wrapper=True
    )(function)


@vectorisable
def _upper_half(x):
    """``x`` without its lower 27 bits: products of two such numbers are exact."""
    return float_of(bits_of(x) & _UPPER_BITS)


@vectorisable
def _exp_of_sum(x, low):
    """``e**(x + low)``, where ``low`` is small beside 1 and ``x``: what ``x`` lacks."""
    shifted = x * 1.4426950408889634 + _ROUND
    n = shifted - _ROUND
    upper = x - n * 6.93147180369123816490e-01
    lack = n * 1.90821492927058770002e-10 - low
    r = upper - lack
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
    line = 1.0 + upper
    p = line + (((upper - (line - 1.0)) - lack) + (p * r) * r)
    y = float_of(bits_of(p) + (bits_of(shifted) << 52))
    y = y if x < 709.78 else x * _LARGEST
    return 0.0 if x < -708.0 else y


@vectorisable
def _log_as_sum(x):
    """Natural logarithm of ``x`` > 0, as a float and what it lacks; see ``log``."""
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
    whole = exponent * 6.93147180369123816490e-01
    line = whole + f
    low = s * (half + (even + odd)) + exponent * 1.90821492927058770002e-10
    low = (f - (line - whole)) + (low - half)
    y = line + low
    return y if x <= _LARGEST else x, low - (y - line)


@vectorisable
def exp(x):
    """``e**x``; 0 below -708 (no subnormal results), inf above 709.78."""
    return _exp_of_sum(x, 0.0)


@vectorisable
def log(x):
    """Natural logarithm of ``x`` > 0; about -709 at 0 and below the normal numbers, inf at inf."""
    return _log_as_sum(x)[0]


@vectorisable
def exp_of_product(y, x, low=0.0):
    """``e**(y (x + low))`` without rounding the product (Dekker); ``low`` is what ``x`` lacks."""
    upper_y, upper_x = _upper_half(y), _upper_half(x)
    rest = upper_y * ((x - upper_x) + low) + (y - upper_y) * x
    return _exp_of_sum(upper_y * upper_x, rest)


@vectorisable
def power(x, y):
    """``x**y`` for ``x`` >= 0 and ``y`` > 0."""
    logarithm, low = _log_as_sum(x)
    z = exp_of_product(y, logarithm, low)
    return z if x > 0.0 else x * 0.0


@vectorisable
def _half_turns(x):
    """The nearest multiple of pi, as a float that holds the integer in its lowest bits."""
    return x * 0.3183098861837907 + _ROUND


@vectorisable
def _remainder(x, n):
    """``x - n pi`` in three steps (Cody and Waite); 0 where ``x`` is too large, NaN stays NaN."""
    r = x - n * 3.14159265346825122834e00
    r = r - n * 1.21542010126079319532e-10
    r = r - n * 4.04453249759190126309e-21
    return r if abs(r) < 1.6 else r - r


@vectorisable
def _negated_if_odd(y, n):
    """``y``, or ``-y`` where the lowest bit of ``n`` is set."""
    return float_of(bits_of(y) ^ (n << 63))


@vectorisable
def _cos_half_turn(r):
    """Cosine for ``|r| <= pi / 2``."""
    z = r * r
    p = -1.1463633119033433e-11 + z * 4.616109559112516e-14
    p = -2.755731706695034e-07 + z * (2.0876592508134754e-09 + z * p)
    p = -0.0013888888888829974 + z * (2.480158728576859e-05 + z * p)
    return 1.0 + z * (-0.5 + z * (0.04166666666666583 + z * p))


@vectorisable
def sin(x):
    """Sine of ``x`` in radians; for ``|x|`` above 1e5 the error grows like that of ``x``."""
    shifted = _half_turns(x)
    r = _remainder(x, shifted - _ROUND)
    z = r * r
    p = -7.64299044219456e-13 + z * 2.721163928508574e-15
    p = -2.5052106871993876e-08 + z * (1.605893966556067e-10 + z * p)
    p = -0.00019841269841209167 + z * (2.7557319211128314e-06 + z * p)
    p = -0.16666666666666666 + z * (0.008333333333333194 + z * p)
    return _negated_if_odd(r + (r * z) * p, bits_of(shifted))


@vectorisable
def cos(x):
    """Cosine of ``x`` in radians; for ``|x|`` above 1e5 the error grows like that of ``x``."""
    shifted = _half_turns(x)
    r = _remainder(x, shifted - _ROUND)
    return _negated_if_odd(_cos_half_turn(r), bits_of(shifted))


@vectorisable
def cos_turns(v):
    """``cos(2 pi v)``: exact reduction, so exactly 1 at every integer.

    From ``|v|`` of 2**50 on, where only integers and halves are left, it is 1 or -1.
    """
    shifted = 2.0 * v + _ROUND
    r = 2.0 * v - (shifted - _ROUND)
    r = r if abs(r) <= 0.5 else r - r
    return _negated_if_odd(_cos_half_turn(3.141592653589793 * r), bits_of(shifted))


@vectorisable
def nearest(x):
    """The nearest integer as a float, halves upwards: C's ``floor(x + 0.5)``."""
    return floor(x + 0.5)
