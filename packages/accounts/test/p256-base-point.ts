/** The base point of P-256 (SEC 2 v2.0 §2.4.2), used as a constant public key that is on the curve. */
export const basePoint = {
  x: 0x6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296n,
  y: 0x4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5n,
} as const
