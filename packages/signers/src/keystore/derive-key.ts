import { pbkdf2, type ScryptOptions, scrypt } from 'node:crypto'
import { promisify } from 'node:util'
import * as Keystore from 'ox/Keystore'
import { bytesToHex, type Hex } from 'viem'
import type { KeystoreFile } from './keystore-form.ts'

type Derivation = Pick<KeystoreFile['crypto'], 'kdf' | 'kdfparams'>

const scryptAsync = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt)
const pbkdf2Async = promisify(pbkdf2)

/** Bytes: the memory for the largest accepted parameters, and a little more. */
const maxmem = 2 ** 30 + 2 ** 24

/**
 * Derives the key from a passphrase. Uses Node's own functions if possible: they run off this thread and are
 * several times faster.
 */
export async function deriveKey(passphrase: string, { kdf, kdfparams }: Derivation): Promise<Hex> {
  const salt = Buffer.from(kdfparams.salt, 'hex')
  if (kdf === 'pbkdf2' && 'c' in kdfparams) {
    return bytesToHex(await pbkdf2Async(passphrase, salt, kdfparams.c, kdfparams.dklen, 'sha256'))
  }
  if (kdf !== 'scrypt' || !('n' in kdfparams)) throw new TypeError(`${kdf} has another function's parameters`)
  const { n: N, r, p, dklen } = kdfparams
  // RFC 7914 §2: N is less than 2^(128 · r / 8). OpenSSL enforces that, but some wallets write r = 1 with N =
  // 2^18.
  if (N >= 2 ** (16 * r)) return deriveInJavaScript(passphrase, kdfparams)
  return bytesToHex(await scryptAsync(passphrase, salt, dklen, { N, r, p, maxmem }))
}

/** Not `scryptAsync` of ox 0.14, which replaces the given r and p. */
function deriveInJavaScript(
  password: string,
  { n, r, p, salt }: { readonly n: number; readonly r: number; readonly p: number; readonly salt: string },
): Hex {
  const [key] = Keystore.scrypt({ password, n, r, p, salt: `0x${salt}` })
  return typeof key === 'function' ? key() : key
}
