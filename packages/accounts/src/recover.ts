import {
  type Address,
  type Hash,
  type Hex,
  hexToBytes,
  hexToNumber,
  recoverAddress,
  slice,
  toHex,
} from 'viem'
import { publicKeyToAddress } from 'viem/accounts'

/**
 * Recovers the signer of a hash from 65 bytes of r, s and v (27 or 28). Rejects a signature that no key can
 * have made.
 */
export type RecoverAddress = (parameters: { hash: Hash; signature: Hex }) => Promise<Address>

/** Node only: a web page would have to bundle 1.2 MB. */
const wasm = await import('tiny-secp256k1').catch(() => undefined)

/**
 * True if `recoverFast` runs in WebAssembly. Otherwise it is viem's JavaScript, which takes eight times as
 * long.
 */
export const isFast = wasm !== undefined

/**
 * Recovers an address in WebAssembly (libsecp256k1), for servers. The result is the same as viem's in
 * JavaScript.
 *
 * @throws TypeError if no key can have made the signature
 */
export const recoverFast: RecoverAddress = wasm
  ? async ({ hash, signature }) => {
      const v = hexToNumber(slice(signature, 64))
      const parity = v === 27 ? 0 : 1
      const key = wasm.recover(hexToBytes(hash), hexToBytes(slice(signature, 0, 64)), parity, false)
      if (!key) throw new TypeError('No key can have made this signature')
      return publicKeyToAddress(toHex(key))
    }
  : recoverAddress
