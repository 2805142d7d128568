import { type Address, getAddress, type Hex, isAddress } from 'viem'
import { privateKeyToAddress, publicKeyToAddress } from 'viem/accounts'
import { isKmsKey, type KmsKey, parseKmsKey } from './kms/kms-key.ts'

/** Where a key is stored. */
export type KeySource =
  /** In the configuration itself. */
  | { readonly kind: 'inline'; readonly privateKey: Hex }
  /** In an encrypted file (Web3 Secret Storage, version 3). */
  | { readonly kind: 'keystore'; readonly path: string }
  /** In a separate process or device, which never releases it. */
  | {
      readonly kind: 'remote'
      readonly address: Address
      /**
       * Uncompressed, without the leading 04. Absent: the signer is asked which of its keys has the address.
       */
      readonly publicKey?: Hex
    }
  /** In a cloud's key service. */
  | KmsKey

const privateKeyForm = /^0x[0-9a-fA-F]{64}$/
const publicKeyForm = /^0x[0-9a-fA-F]{128}$/

/**
 * Parses the location of a key from a configuration value.
 *
 * @param text - `0x` and 64 hex digits, `keystore:<path>`, `remote:<address>`, `remote:<public key>`, or a key of {@link parseKmsKey}
 * @returns undefined if it is none of them
 * @example
 * parseKeySource('remote:0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266')
 * // { kind: 'remote', address: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266' }
 */
export function parseKeySource(text: string): KeySource | undefined {
  if (privateKeyForm.test(text)) return { kind: 'inline', privateKey: text as Hex } // the expression ensures the form
  const [, kind, rest = ''] = /^(keystore|remote):(.+)$/s.exec(text) ?? []
  if (kind === 'keystore') return { kind, path: rest }
  if (kind !== 'remote') return parseKmsKey(text)
  if (isAddress(rest)) return { kind, address: getAddress(rest) }
  if (!publicKeyForm.test(rest)) return undefined
  const publicKey = rest.toLowerCase() as Hex // the expression ensures the form
  return { kind, publicKey, address: publicKeyToAddress(`0x04${publicKey.slice(2)}`) }
}

/**
 * The address of a key, if it is known without opening the key.
 *
 * @returns undefined for an encrypted file, and for a key in a key service that is named without its address
 */
export function publishedAddress(source: KeySource): Address | undefined {
  if (source.kind === 'keystore') return undefined
  if (isKmsKey(source)) return source.address
  return source.kind === 'remote' ? source.address : privateKeyToAddress(source.privateKey)
}
