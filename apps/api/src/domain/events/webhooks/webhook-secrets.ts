import {
  createCipheriv,
  createDecipheriv,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { z } from 'zod'

/** Milliseconds that the previous secret keeps signing after a rotation. */
const overlap = 24 * 60 * 60_000

const storedSecrets = z.array(z.object({ secret: z.string(), until: z.iso.datetime().nullable() }))
type StoredSecrets = z.output<typeof storedSecrets>

const newSecret = () => `whsec_${randomBytes(32).toString('base64')}`

/**
 * The endpoint of the secrets and the key that encrypts them. Without a key they are stored in plain text.
 */
export interface SecretsOwner {
  readonly id: string
  readonly encryptionKey: KeyObject | undefined
  /** Keys with which earlier secrets were encrypted, and which still decrypt them. Default: none. */
  readonly olderKeys?: readonly KeyObject[] | undefined
}

/**
 * Receivers trust anyone who has a secret, so a copy of the database must not contain usable secrets.
 * TOKEN_KEY is not in the database.
 */
export function deriveEncryptionKeys(
  tokenKeys: readonly { readonly d: string }[] = [],
): Pick<SecretsOwner, 'encryptionKey' | 'olderKeys'> {
  const [encryptionKey, ...olderKeys] = tokenKeys.map(({ d }) =>
    createSecretKey(
      Buffer.from(hkdfSync('sha256', Buffer.from(d, 'base64url'), '', 'lanyard webhook secrets', 32)),
    ),
  )
  return { encryptionKey, olderKeys }
}

const cipher = 'aes-256-gcm'
const prefix = `${cipher}:`
const [nonceLength, tagLength] = [12, 16]

/** The id is authenticated: a secret that is copied to another endpoint cannot be decrypted there. */
function encrypt(secret: string, { id, encryptionKey }: SecretsOwner): string {
  if (!encryptionKey) return secret
  const nonce = randomBytes(nonceLength)
  const encryption = createCipheriv(cipher, encryptionKey, nonce).setAAD(Buffer.from(id))
  const parts = [nonce, encryption.update(secret), encryption.final(), encryption.getAuthTag()]
  return prefix + Buffer.concat(parts).toString('base64')
}

/** @returns undefined when it was encrypted with another key, or when there is no key */
function decrypt(stored: string, { id, encryptionKey, olderKeys = [] }: SecretsOwner): string | undefined {
  if (!stored.startsWith(prefix)) return stored
  for (const key of encryptionKey ? [encryptionKey, ...olderKeys] : []) {
    const secret = decryptWith(key, stored, id)
    if (secret !== undefined) return secret
  }
  return undefined
}

function decryptWith(key: KeyObject, stored: string, id: string): string | undefined {
  const bytes = Buffer.from(stored.slice(prefix.length), 'base64')
  try {
    const decryption = createDecipheriv(cipher, key, bytes.subarray(0, nonceLength))
      .setAAD(Buffer.from(id))
      .setAuthTag(bytes.subarray(-tagLength))
    return (
      decryption.update(bytes.subarray(nonceLength, -tagLength), undefined, 'utf8') + decryption.final('utf8')
    )
  } catch {
    return undefined
  }
}

/** Creates the first secret of an endpoint. */
export function createSecrets(owner: SecretsOwner): {
  readonly secret: string
  readonly stored: StoredSecrets
} {
  const secret = newSecret()
  return { secret, stored: [{ secret: encrypt(secret, owner), until: null }] }
}

/** Adds a new secret; the previous one keeps signing for another day. */
export function rotateSecrets(
  stored: unknown,
  { now, ...owner }: SecretsOwner & { readonly now: Date },
): ReturnType<typeof createSecrets> {
  const { secret, stored: added } = createSecrets(owner)
  const until = new Date(now.getTime() + overlap).toISOString()
  const [last] = storedSecrets.parse(stored)
  const before = last && decrypt(last.secret, owner)
  return { secret, stored: [...added, ...(before ? [{ secret: encrypt(before, owner), until }] : [])] }
}

/**
 * Encrypts the secrets of an endpoint with the first key.
 *
 * @returns undefined if they already are; `unreadable` if no key decrypts one of them
 */
export function reencryptSecrets(
  stored: unknown,
  owner: SecretsOwner,
): StoredSecrets | 'unreadable' | undefined {
  const secrets = storedSecrets.parse(stored)
  const { id, encryptionKey } = owner
  const isCurrent = ({ secret }: StoredSecrets[number]) =>
    encryptionKey && secret.startsWith(prefix) && decryptWith(encryptionKey, secret, id) !== undefined
  if (secrets.every(isCurrent)) return undefined
  const again = secrets.flatMap(({ secret, until }) => {
    const plain = decrypt(secret, owner)
    return plain === undefined ? [] : [{ secret: encrypt(plain, owner), until }]
  })
  return again.length === secrets.length ? again : 'unreadable'
}

/** The recorded answer of a delivery when {@link signWebhook} has no secret. */
export const unreadable =
  'The secret of this endpoint cannot be decrypted: TOKEN_KEY has changed. `lanyard webhooks rotate` makes a new secret.'

/**
 * The headers of Standard Webhooks, with one signature for each valid secret.
 *
 * @returns undefined when no secret can be decrypted
 */
export function signWebhook(
  stored: unknown,
  {
    id,
    body,
    now,
    owner,
  }: { readonly id: string; readonly body: string; readonly now: Date; readonly owner: SecretsOwner },
): Readonly<Record<string, string>> | undefined {
  const signatures = storedSecrets
    .parse(stored)
    .filter(({ until }) => until === null || new Date(until) > now)
    .flatMap(({ secret }) => decrypt(secret, owner) ?? [])
    .map((secret) => new Webhook(secret).sign(id, now, body))
  if (signatures.length === 0) return undefined
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': signatures.join(' '),
  }
}
