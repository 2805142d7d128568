import { LanyardError } from '@lanyard/contracts'
import { type Address, type Hex, isAddressEqual, isHex } from 'viem'
import { publicKeyToAddress } from 'viem/accounts'
import { z } from 'zod'
import type { KeySource } from '../key-source.ts'
import { createSignerRequests, type SignerAnswer, type SignerConnection } from './signer-requests.ts'

/** How to reach a signer with Web3Signer's eth1 API, and how to authenticate to it. */
export type RemoteSignerSettings = SignerConnection

type RemoteKey = Extract<KeySource, { kind: 'remote' }>

/** A process or device that signs and never releases a key. */
export interface RemoteSigner {
  /**
   * A secp256k1 signature over keccak256 of the data. The signer receives the data, not only its hash, so
   * that it can inspect what it signs.
   *
   * @returns the signer's response, not verified yet
   * @throws SIGNER_UNAVAILABLE, SIGNER_FAILED
   */
  sign(key: RemoteKey, data: Hex): Promise<Hex>
}

const publicKeyList = z.array(z.string().max(140)).max(10_000)

/**
 * A signer with Web3Signer's eth1 API:
 *
 * - `POST /api/v1/eth1/sign/{public key}` with `{ "data": "0x…" }` returns r ‖ s ‖ v as hex text,
 * - `GET /api/v1/eth1/publicKeys` returns a JSON array of public keys; requested only for a key that is named
 *   by its address.
 */
export function createRemoteSigner(settings: RemoteSignerSettings): RemoteSigner {
  const request = createSignerRequests(settings)
  /** Cached forever: a public key has one address. */
  const identifiers = new Map<Address, string>()

  async function identifierOf({ address, publicKey }: RemoteKey): Promise<string> {
    const known = publicKey ?? identifiers.get(address)
    if (known !== undefined) return known
    const listed = parsePublicKeys(requireOk(await request('GET', '/api/v1/eth1/publicKeys')))
    for (const [listedAddress, identifier] of listed) identifiers.set(listedAddress, identifier)
    const found = listed.find(([listedAddress]) => isAddressEqual(listedAddress, address))
    if (found) return found[1]
    throw new LanyardError('SIGNER_FAILED', { cause: `the signer has no key for ${address}` })
  }

  return {
    async sign(key, data) {
      const identifier = await identifierOf(key)
      const answer = await request('POST', `/api/v1/eth1/sign/${identifier}`, { data })
      const text = requireOk(answer).trim().replaceAll('"', '')
      if (isHex(text)) return text
      throw new LanyardError('SIGNER_FAILED', { cause: "the signer's answer is not a signature" })
    },
  }
}

/** A busy or broken signer may succeed later; a rejection is permanent. */
function requireOk({ status, text }: SignerAnswer): string {
  if (status === 200) return text
  const cause = `the signer answered ${status}`
  throw new LanyardError(status >= 500 || status === 429 ? 'SIGNER_UNAVAILABLE' : 'SIGNER_FAILED', { cause })
}

/** Signers write public keys with or without 0x, and with or without the 04 of an uncompressed point. */
function parsePublicKeys(text: string): (readonly [Address, string])[] {
  try {
    return publicKeyList.parse(JSON.parse(text)).flatMap((identifier) => {
      const [, digits] = /^(?:0x)?(?:04)?([0-9a-fA-F]{128})$/.exec(identifier) ?? []
      return digits === undefined ? [] : [[publicKeyToAddress(`0x04${digits}`), identifier] as const]
    })
  } catch (cause) {
    throw new LanyardError('SIGNER_FAILED', { cause })
  }
}
