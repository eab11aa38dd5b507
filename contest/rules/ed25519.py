"""Ed25519 by RFC 8032, section 5.1, for verifying signatures in pure Python. Ten milliseconds each.

The site also signs with it, once an hour and only its own text: signing is not constant-time.

>>> seed = bytes.fromhex("9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60")
>>> public_key(seed).hex()[:8], is_signed(public_key(seed), b"", sign(seed, b""))
('d75a9801', True)
"""

import hashlib

_P = 2**255 - 19
_L = 2**252 + 27742317777372353535851937790883648493
_D = -121665 * pow(121666, -1, _P) % _P
_ROOT = pow(2, (_P - 1) // 4, _P)
_Point = tuple[int, int, int, int]  # X, Y, Z, T with x = X/Z, y = Y/Z, xy = T/Z
_ZERO: _Point = (0, 1, 1, 0)


def public_key(seed: bytes) -> bytes:
    """Return the public key for a *seed*; both have 32 bytes."""
    return _pack(_times(_secret(seed)[0], _BASE))


def sign(seed: bytes, message: bytes) -> bytes:
    """Return the signature, 64 bytes."""
    secret, prefix = _secret(seed)
    key = _pack(_times(secret, _BASE))
    r = _number(prefix + message)
    point = _pack(_times(r, _BASE))
    return point + ((r + _number(point + key + message) * secret) % _L).to_bytes(32, "little")


def is_signed(key: bytes, message: bytes, signature: bytes) -> bool:
    """Return True if *signature* over *message* is valid for *key*; False if key or signature are malformed."""
    if len(key) != 32 or len(signature) != 64:
        return False
    a, r = _unpack(key), _unpack(signature[:32])
    s = int.from_bytes(signature[32:], "little")
    if a is None or r is None or s >= _L:
        return False
    right = _sum(r, _times(_number(signature[:32] + key + message), a))
    return _is_same(_times(s, _BASE), right)


def _secret(seed: bytes) -> tuple[int, bytes]:
    if len(seed) != 32:
        raise ValueError("A seed has 32 bytes.")
    digest = hashlib.sha512(seed).digest()
    return int.from_bytes(digest[:32], "little") & (2**254 - 8) | 2**254, digest[32:]


def _number(data: bytes) -> int:
    return int.from_bytes(hashlib.sha512(data).digest(), "little") % _L


def _sum(p: _Point, q: _Point) -> _Point:
    a, b = (p[1] - p[0]) * (q[1] - q[0]) % _P, (p[1] + p[0]) * (q[1] + q[0]) % _P
    c, d = 2 * p[3] * q[3] * _D % _P, 2 * p[2] * q[2] % _P
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % _P, g * h % _P, f * g % _P, e * h % _P


def _times(count: int, point: _Point) -> _Point:
    result = _ZERO
    while count:
        if count & 1:
            result = _sum(result, point)
        point = _sum(point, point)
        count >>= 1
    return result


def _is_same(p: _Point, q: _Point) -> bool:
    return not ((p[0] * q[2] - q[0] * p[2]) % _P or (p[1] * q[2] - q[1] * p[2]) % _P)


def _x_of(y: int, sign: int) -> int | None:
    if y >= _P:
        return None
    square = (y * y - 1) * pow(_D * y * y + 1, -1, _P) % _P
    if not square:
        return None if sign else 0
    x = pow(square, (_P + 3) // 8, _P)
    if (x * x - square) % _P:
        x = x * _ROOT % _P
    if (x * x - square) % _P:
        return None
    return _P - x if x & 1 != sign else x


def _unpack(data: bytes) -> _Point | None:
    number = int.from_bytes(data, "little")
    y = number & (2**255 - 1)
    x = _x_of(y, number >> 255)
    return None if x is None else (x, y, 1, x * y % _P)


def _pack(point: _Point) -> bytes:
    inverse = pow(point[2], -1, _P)
    x, y = point[0] * inverse % _P, point[1] * inverse % _P
    return (y | (x & 1) << 255).to_bytes(32, "little")


_Y = 4 * pow(5, -1, _P) % _P
_BASE_X = _x_of(_Y, 0)
_BASE: _Point = (_BASE_X or 0, _Y, 1, (_BASE_X or 0) * _Y % _P)
