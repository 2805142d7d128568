import { type Address, encodePacked, type Hex, keccak256, numberToHex, pad } from 'viem'
import { SessionKeysError } from '../errors.ts'

/** A P-256 public key made by WebCrypto. Its private key cannot leave the browser. */
export interface P256Key {
  readonly x: bigint
  readonly y: bigint
}

/** The key that signs for a session: a secp256k1 key identified by its address, or a P-256 key. */
export type SessionKey = Address | P256Key

/**
 * The 32 bytes that identify a key in the contract: the address, left-padded, or keccak256(x ‖ y)
 * (KeySignature.sol). The two forms cannot collide: finding a hash with 12 leading zero bytes is infeasible.
 *
 * @throws SessionKeysError OUT_OF_RANGE for a coordinate over 256 bits.
 */
export function sessionKeyId(key: SessionKey): Hex {
  if (typeof key === 'string') return pad(key).toLowerCase() as Hex // hex in lower case is still hex
  return keccak256(encodePacked(['uint256', 'uint256'], [coordinate(key.x), coordinate(key.y)]))
}

/** The public key in a signature: x ‖ y. */
export const encodeP256Key = ({ x, y }: P256Key): Hex =>
  `${numberToHex(coordinate(x), { size: 32 })}${numberToHex(coordinate(y), { size: 32 }).slice(2)}`

function coordinate(value: bigint): bigint {
  if (value >= 0n && value >> 256n === 0n) return value
  throw new SessionKeysError('OUT_OF_RANGE', 'A coordinate of a P-256 key has 256 bits.')
}
