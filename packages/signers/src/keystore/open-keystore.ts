import { readFile } from 'node:fs/promises'
import * as Keystore from 'ox/Keystore'
import type { Hex } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import { deriveKey } from './derive-key.ts'
import { KeystoreError } from './keystore-error.ts'
import { type KeystoreFile, keystoreForm } from './keystore-form.ts'

/**
 * Decrypts an encrypted key file. It takes about a second by design, to slow down guessing.
 *
 * @returns the private key
 * @throws KeystoreError
 */
export async function openKeystore(path: string, passphrase: string): Promise<Hex> {
  const file = parse(path, await read(path))
  const privateKey = await decrypt(path, file, passphrase)
  const { address } = file
  if (address === undefined || isAddressOf(privateKey, address)) return privateKey
  throw new KeystoreError(path, `its key does not belong to its address ${address}`)
}

async function read(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown'
    throw new KeystoreError(path, `it cannot be read (${code})`, { cause })
  }
}

/** Causes are omitted: they could quote the file. */
function parse(path: string, text: string): KeystoreFile {
  try {
    return keystoreForm.parse(JSON.parse(text))
  } catch {
    throw new KeystoreError(path, 'not an encrypted key (Web3 Secret Storage, version 3)')
  }
}

async function decrypt(
  path: string,
  { crypto, id, version }: KeystoreFile,
  passphrase: string,
): Promise<Hex> {
  try {
    const keystore = { crypto, id, version } as Keystore.Keystore // ox writes the same two unions in a different form
    return Keystore.decrypt(keystore, await deriveKey(passphrase, crypto))
  } catch {
    throw new KeystoreError(path, 'the passphrase is wrong, or the file is damaged')
  }
}

const isAddressOf = (privateKey: Hex, address: string) =>
  privateKeyToAddress(privateKey).slice(2).toLowerCase() === address.replace(/^0x/, '').toLowerCase()
