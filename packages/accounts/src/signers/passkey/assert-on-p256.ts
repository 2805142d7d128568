import { AccountsError } from '../../errors.ts'

/** Curve P-256 (secp256r1): y² = x³ − 3x + b over the field of p elements. SEC 2 v2.0 §2.4.2. */
const p = 0xffffffff00000001000000000000000000000000ffffffffffffffffffffffffn
const b = 0x5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604bn

/** The order of P-256's base point; r and s of a signature are between 1 and n − 1. SEC 2 v2.0 §2.4.2. */
export const p256Order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n

/**
 * Rejects a public key that is not a point of P-256: an account created with it could be funded but never
 * used.
 *
 * @throws AccountsError NOT_ON_CURVE.
 */
export function assertOnP256({ x, y }: { x: bigint; y: bigint }): void {
  if (!isInField(x) || !isInField(y) || (y * y - (x * x * x - 3n * x + b)) % p !== 0n)
    throw new AccountsError('NOT_ON_CURVE', 'The public key is not a point on the P-256 curve.')
}

const isInField = (coordinate: bigint) => coordinate >= 0n && coordinate < p
