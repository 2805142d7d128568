import { type ByteArray, bytesToBigInt, bytesToHex } from 'viem'
import { AccountsError } from '../../errors.ts'
import { assertOnP256 } from './assert-on-p256.ts'

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
