import { LanyardError } from '@lanyard/contracts'
import type { Database } from '@lanyard/database'
import { type CryptoKey, exportJWK, generateKeyPair, importJWK, type JWK } from 'jose'
import type { Kysely } from 'kysely'
import type { Logger } from 'pino'

/** RFC 8037: Ed25519. */
export const algorithm = 'EdDSA'

export interface SigningKey {
  readonly privateKey: CryptoKey
  readonly publicKey: CryptoKey
}

interface KeyDependencies {
  readonly database: Kysely<Database>
  readonly now: () => Date
  readonly log: Logger
}

/**
 * The key that signs tokens: the configured one, or, for development, a key that is created at the first
 * start. That key is kept in the database, so that tokens survive a restart and every replica accepts them.
 *
 * @param configured - a private Ed25519 JWK as JSON (TOKEN_KEY)
 * @throws INTERNAL when it is not one
 */
export async function openSigningKey(
  { database, now, log }: KeyDependencies,
  configured: JWK | undefined,
): Promise<SigningKey> {
  if (configured) return toSigningKey(configured)
  log.info('TOKEN_KEY is not set: tokens are signed with a key that is kept in the database')
  const { privateKey } = await generateKeyPair(algorithm, { crv: 'Ed25519', extractable: true })
  await database
    .insertInto('token_keys')
    .values({ private_jwk: JSON.stringify(await exportJWK(privateKey)), created_at: now() })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const stored = await database.selectFrom('token_keys').select('private_jwk').executeTakeFirstOrThrow()
  return toSigningKey(stored.private_jwk as JWK) // written by this service, in this form
}

/** A key that nobody else has, for processes that serve no calls. */
export const createUnusedKey = (): Promise<SigningKey> => generateKeyPair(algorithm, { crv: 'Ed25519' })

async function toSigningKey(jwk: JWK): Promise<SigningKey> {
  const { d: _private, ...publicJwk } = jwk
  const [privateKey, publicKey] = await Promise.all([
    importJWK(jwk, algorithm),
    importJWK(publicJwk, algorithm),
  ])
  if (privateKey instanceof Uint8Array || publicKey instanceof Uint8Array || privateKey.type !== 'private') {
    throw new LanyardError('INTERNAL', { cause: 'TOKEN_KEY is not an Ed25519 private key' })
  }
  return { privateKey, publicKey }
}
