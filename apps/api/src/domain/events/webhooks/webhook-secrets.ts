import { randomBytes } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { z } from 'zod'

/** Milliseconds that an earlier secret goes on signing after a rotation. */
const overlap = 24 * 60 * 60_000

const storedSecrets = z.array(z.object({ secret: z.string(), until: z.iso.datetime().nullable() }))
type StoredSecrets = z.output<typeof storedSecrets>

const newSecret = () => `whsec_${randomBytes(32).toString('base64')}`

/** The first secret of an endpoint. */
export function createSecrets(): { readonly secret: string; readonly stored: StoredSecrets } {
  const secret = newSecret()
  return { secret, stored: [{ secret, until: null }] }
}

/** Adds a new secret; the one before signs for another day. */
export function rotateSecrets(stored: unknown, now: Date): ReturnType<typeof createSecrets> {
  const { secret, stored: added } = createSecrets()
  const until = new Date(now.getTime() + overlap).toISOString()
  const [last] = storedSecrets.parse(stored)
  return { secret, stored: [...added, ...(last ? [{ secret: last.secret, until }] : [])] }
}

/** The headers of Standard Webhooks: a signature by each secret that holds. */
export function signWebhook(
  stored: unknown,
  { id, body, now }: { readonly id: string; readonly body: string; readonly now: Date },
): Readonly<Record<string, string>> {
  const signatures = storedSecrets
    .parse(stored)
    .filter(({ until }) => until === null || new Date(until) > now)
    .map(({ secret }) => new Webhook(secret).sign(id, now, body))
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': signatures.join(' '),
  }
}
