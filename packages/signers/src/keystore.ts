import { pbkdf2, randomBytes, type ScryptOptions, scrypt } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import * as Keystore from 'ox/Keystore'
import { type Address, bytesToHex, type Hex } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import { z } from 'zod'

/** An encrypted file cannot be used. The message names the file and the reason, for the person who configured it. */
export class KeystoreError extends Error {
  override readonly name = 'KeystoreError'

  constructor(path: string, reason: string, options?: ErrorOptions) {
    super(`${path}: ${reason}`, options)
  }
}

const hexOf = (bytes: number) => z.string().regex(new RegExp(`^[0-9a-fA-F]{${bytes * 2}}$`))

/** scrypt uses 128 · n · r bytes of memory: no file makes this process use more than a gigabyte. */
const scryptParameters = z
  .object({
    n: z
      .int()
      .min(2)
      .max(2 ** 20),
    r: z.int().min(1).max(64),
    p: z.int().min(1).max(64),
    dklen: z.literal(32),
    salt: z.string().regex(/^[0-9a-fA-F]+$/),
  })
  .refine(({ n, r }) => 128 * n * r <= 2 ** 30, 'n and r need more than a gigabyte')

const pbkdf2Parameters = z.object({
  c: z.int().min(1).max(10_000_000),
  dklen: z.literal(32),
  prf: z.literal('hmac-sha256'),
  salt: z.string().regex(/^[0-9a-fA-F]+$/),
})

const cipher = {
  cipher: z.literal('aes-128-ctr'),
  ciphertext: hexOf(32),
  cipherparams: z.object({ iv: hexOf(16) }),
  mac: hexOf(32),
}

/** Web3 Secret Storage, version 3, of one secp256k1 key, as geth, foundry, Web3Signer and others write it. */
const keystoreForm = z.object({
  version: z.literal(3),
  id: z.string(),
  /** Often present, and not encrypted. */
  address: z
    .string()
    .regex(/^(0x)?[0-9a-fA-F]{40}$/)
    .optional(),
  crypto: z.discriminatedUnion('kdf', [
    z.object({ ...cipher, kdf: z.literal('scrypt'), kdfparams: scryptParameters }),
    z.object({ ...cipher, kdf: z.literal('pbkdf2'), kdfparams: pbkdf2Parameters }),
  ]),
})

type KeystoreFile = z.output<typeof keystoreForm>

type Derivation = Pick<KeystoreFile['crypto'], 'kdf' | 'kdfparams'>

const scryptAsync = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt)
const pbkdf2Async = promisify(pbkdf2)

/** Bytes: the memory for the largest accepted parameters, and a little more. */
const maxmem = 2 ** 30 + 2 ** 24

/**
 * Derives the key from a passphrase. Uses Node's own functions if possible: they run off this thread and are
 * several times faster.
 */
async function deriveKey(passphrase: string, { kdf, kdfparams }: Derivation): Promise<Hex> {
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
