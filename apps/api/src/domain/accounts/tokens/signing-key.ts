import { LanyardError } from '@lanyard/contracts'
import type { Database } from '@lanyard/database'
import { type CryptoKey, calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK, type JWK } from 'jose'
import type { Kysely } from 'kysely'
import type { Logger } from 'pino'

/** RFC 8037: Ed25519. */
export const algorithm = 'EdDSA'

export interface SigningKey {
  /** Named in the tokens that it signs (`kid`). Absent for a key that nobody else has. */
  readonly id?: string
  readonly privateKey: CryptoKey
  readonly publicKey: CryptoKey
}

interface KeyDependencies {
  readonly database: Kysely<Database>
  readonly now: () => Date
  readonly log: Logger
}

/** The first one signs; all of them verify. */
export type SigningKeys = readonly [SigningKey, ...SigningKey[]]

/**
 * The keys of tokens: the configured ones, or, for development, one that is created at the first
 * start. That key is kept in the database, so that tokens survive a restart and every replica accepts them.
 *
 * @param configured - private Ed25519 JWKs (TOKEN_KEY)
 * @throws INTERNAL when one of them is something else
 */
export async function openSigningKeys(
  { database, now, log }: KeyDependencies,
  configured: readonly JWK[] = [],
): Promise<SigningKeys> {
  const [first, ...others] = configured
  if (first) return [await toSigningKey(first), ...(await Promise.all(others.map(toSigningKey)))]
  log.info('TOKEN_KEY is not set: tokens are signed with a key that is kept in the database')
  const { privateKey } = await generateKeyPair(algorithm, { crv: 'Ed25519', extractable: true })
  await database
    .insertInto('token_keys')
    .values({ private_jwk: JSON.stringify(await exportJWK(privateKey)), created_at: now() })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const stored = await database.selectFrom('token_keys').select('private_jwk').executeTakeFirstOrThrow()
  return [await toSigningKey(stored.private_jwk as JWK)] // written by this service, in this form
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
  // RFC 7638 gives a key an id that everybody computes alike.
  const id = jwk.kid ?? (await calculateJwkThumbprint(publicJwk))
  return { id, privateKey, publicKey }
}
