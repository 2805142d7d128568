import { type Address, encodePacked, type Hex, keccak256, numberToHex, pad } from 'viem'
import { SessionKeysError } from '../errors.ts'

/** A public key on P-256, as WebCrypto makes them: unable to leave the browser that made it. */
export interface P256Key {
  readonly x: bigint
  readonly y: bigint
}

/** What signs for a session: a secp256k1 key known by its address, or a P-256 key. */
export type SessionKey = Address | P256Key

/**
 * The 32 bytes by which the contract knows a key: the address, left-padded, or keccak256(x ‖ y)
 * (KeySignature.sol). They cannot meet: no hash has 12 leading zero bytes for somebody to find.
 *
 * @throws SessionKeysError OUT_OF_RANGE for a coordinate over 256 bits.
 */
export function sessionKeyId(key: SessionKey): Hex {
  if (typeof key === 'string') return pad(key).toLowerCase() as Hex // hex in lower case is still hex
  return keccak256(encodePacked(['uint256', 'uint256'], [coordinate(key.x), coordinate(key.y)]))
}

/** The public key as a signature carries it: x ‖ y. */
export const encodeP256Key = ({ x, y }: P256Key): Hex =>
  `${numberToHex(coordinate(x), { size: 32 })}${numberToHex(coordinate(y), { size: 32 }).slice(2)}`

function coordinate(value: bigint): bigint {
  if (value >= 0n && value >> 256n === 0n) return value
  throw new SessionKeysError('OUT_OF_RANGE', 'A coordinate of a P-256 key has 256 bits.')
}
