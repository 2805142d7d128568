import { z } from 'zod'

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
export const keystoreForm = z.object({
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

export type KeystoreFile = z.output<typeof keystoreForm>
