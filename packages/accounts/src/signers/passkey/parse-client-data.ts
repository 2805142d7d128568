import { type ByteArray, bytesToHex, type Hash, type Hex, hexToBytes, stringToBytes } from 'viem'
import { type Failure, failure } from '../../result.ts'
import { base64UrlOf } from './base64url.ts'

export type ParseClientDataResult =
  | { readonly ok: true; readonly fields: Hex }
  | Failure<
      /** Not the JSON of an assertion (`"type":"webauthn.get"`). */
      | 'MALFORMED_CLIENT_DATA'
      /** The assertion is over something other than this operation. */
      | 'CHALLENGE_MISMATCH'
      /** A valid assertion whose members are not in the order that the contract rebuilds. */
      | 'CLIENT_DATA_ORDER'
    >

/**
 * The middle of a `clientDataJSON`, the only part that goes on chain. Safe's WebAuthn library rebuilds
 * `{"type":"webauthn.get","challenge":"…",` ‖ fields ‖ `}` and hashes that, so an assertion is valid only if
 * the authenticator follows the serialization of WebAuthn L3 §5.8.1.1 byte for byte.
 *
 * @returns the bytes between the prefix and the closing brace.
 */
export function parseClientData(clientDataJSON: ByteArray, hash: Hash): ParseClientDataResult {
  const claimed = readTypeAndChallenge(clientDataJSON)
  if (claimed.type !== 'webauthn.get')
    return failure('MALFORMED_CLIENT_DATA', 'clientDataJSON is not the client data of an assertion.')
  const challenge = base64UrlOf(hexToBytes(hash))
  if (claimed.challenge !== challenge)
    return failure('CHALLENGE_MISMATCH', "The assertion's challenge is not the hash of this operation.")

  const prefix = stringToBytes(`{"type":"webauthn.get","challenge":"${challenge}",`)
  const startsWithPrefix = prefix.every((byte, index) => clientDataJSON[index] === byte)
  const last = clientDataJSON.length - 1
  if (!startsWithPrefix || clientDataJSON[last] !== '}'.charCodeAt(0))
    return failure(
      'CLIENT_DATA_ORDER',
      'The order of clientDataJSON does not follow WebAuthn L3 §5.8.1.1, so the account cannot verify it. Use another authenticator or browser.',
    )
  return { ok: true, fields: bytesToHex(clientDataJSON.subarray(prefix.length, last)) }
}

function readTypeAndChallenge(clientDataJSON: ByteArray): { type?: unknown; challenge?: unknown } {
  try {
    // Object() turns a value that is not an object (null, a number, a string) into one without these members.
    return Object(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(clientDataJSON)))
  } catch {
    return {} // neither UTF-8 nor JSON
  }
}
