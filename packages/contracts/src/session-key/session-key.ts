import { z } from 'zod'
import { address, addressOutput } from '../primitives/address.ts'
import { maxUint256 } from '../primitives/amount.ts'
import { hash, hexOutput } from '../primitives/hex.ts'

const coordinate = z
  .string()
  .regex(/^(?:0x[0-9a-fA-F]{1,64}|\d{1,78})$/, 'Expected a coordinate: hex with 0x, or a decimal string')
  .transform(BigInt)
  .refine((value) => value <= maxUint256, 'Larger than 2^256 - 1')
  .meta({ type: 'string', description: 'Hex with `0x`, or decimal.' })

/** The `raw` export of WebCrypto: 0x04 ‖ x ‖ y (SEC 1, section 2.3.3). */
const uncompressedPoint = z
  .string()
  .regex(/^0x04[0-9a-fA-F]{128}$/)
  .transform((hex) => ({ x: BigInt(`0x${hex.slice(4, 68)}`), y: BigInt(`0x${hex.slice(68)}`) }))
  .meta({
    type: 'string',
    pattern: '^0x04[0-9a-fA-F]{128}$',
    description: 'A P-256 public key, uncompressed: 65 bytes.',
  })

const point = z
  .object({ x: coordinate, y: coordinate })
  .meta({ description: 'The coordinates of a P-256 public key.' })

const keyMessage = 'Expected an address, or a P-256 public key: 65 bytes of hex (0x04…) or { x, y }'

/** The key of a session: the address of a secp256k1 key, or a P-256 public key. */
export const sessionKey = z.union([address, uncompressedPoint, point], keyMessage)

const keyId = hash
  .transform((id) => ({ keyId: id }))
  .meta({ type: 'string', description: "The session's `keyId`." })

/** The key of a session in a query. */
export const sessionKeyText = z.union(
  [address, uncompressedPoint, keyId],
  'Expected an address, a P-256 public key: 65 bytes of hex (0x04…), or a keyId of 32 bytes',
)

/** A session key, or the 32 bytes that identify a key in the contract, if the public key is lost. */
export const sessionKeyOrId = z.union(
  [address, uncompressedPoint, point, keyId],
  `${keyMessage}, or a keyId of 32 bytes`,
)

/** The key of a session in responses. The chain knows only a hash of a P-256 key. */
export const namedKey = {
  sessionKey: addressOutput.optional().meta({ description: 'Absent for a P-256 key.' }),
  keyId: hexOutput.meta({ description: 'The address, left-padded, or keccak256(x ‖ y) of a P-256 key.' }),
}
