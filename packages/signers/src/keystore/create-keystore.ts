import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import * as Keystore from 'ox/Keystore'
import type { Address, Hex } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import { deriveKey } from './derive-key.ts'
import { KeystoreError } from './keystore-error.ts'

/** geth's standard: 256 MiB and about a second for each guess. */
const standardScrypt = { n: 2 ** 18, r: 8, p: 1 } as const

interface NewKeystore {
  readonly path: string
  readonly privateKey: Hex
  readonly passphrase: string
  /** Default: geth's standard. Tests use less. */
  readonly scrypt?: { readonly n: number; readonly r: number; readonly p: number }
}

/**
 * Writes an encrypted key file that only its owner may read. It never overwrites an existing file.
 *
 * @returns the key's address
 * @throws KeystoreError if the file exists or cannot be written
 */
export async function createKeystore({
  path,
  privateKey,
  passphrase,
  scrypt = standardScrypt,
}: NewKeystore): Promise<Address> {
  const derivation = {
    kdf: 'scrypt',
    kdfparams: { ...scrypt, dklen: 32, salt: randomBytes(32).toString('hex') },
  } as const
  const key = await deriveKey(passphrase, derivation)
  const encrypted = Keystore.encrypt(privateKey, key, { ...derivation, iv: randomBytes(16) })
  const address = privateKeyToAddress(privateKey)
  const file = { address: address.slice(2).toLowerCase(), ...encrypted }
  try {
    await writeFile(path, `${JSON.stringify(file, null, 2)}\n`, { mode: 0o600, flag: 'wx' })
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown'
    throw new KeystoreError(
      path,
      code === 'EEXIST' ? 'it already exists' : `it cannot be written (${code})`,
      {
        cause,
      },
    )
  }
  return address
}
