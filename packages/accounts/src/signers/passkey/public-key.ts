import { type ByteArray, bytesToBigInt, bytesToHex } from 'viem'
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

/**
 * {1: 2 (EC2), 3: -7 (ES256), -1: 1 (P-256), -2: x, -3: y} in CBOR. A credential public key is in CTAP2
 * canonical form and has no optional members (WebAuthn L3 §6.5.1.1), so an ES256 key is always these bytes and no
 * CBOR decoder is needed.
 */
const beforeX = '0xa5010203262001215820'
const beforeY = '0x225820'

/**
 * The point of a COSE_Key for ES256, as in `credential.publicKey` of @simplewebauthn/server.
 *
 * @throws AccountsError MALFORMED for anything else; NOT_ON_CURVE if x, y are not a point of P-256.
 */
export function parseCosePublicKey(cosePublicKey: ByteArray): { x: bigint; y: bigint } {
  const key = cosePublicKey
  if (
    key.length !== 77 ||
    bytesToHex(key.subarray(0, 10)) !== beforeX ||
    bytesToHex(key.subarray(42, 45)) !== beforeY
  )
    throw new AccountsError('MALFORMED', 'The public key is not a COSE_Key for ES256.')
  const point = { x: bytesToBigInt(key.subarray(10, 42)), y: bytesToBigInt(key.subarray(45)) }
  assertOnP256(point)
  return point
}
