import { z } from 'zod'

/** A passkey as shown to its user. */
export const credential = z
  .object({
    credentialId: z.string().meta({ description: 'base64url' }),
    label: z.string(),
    backedUp: z
      .boolean()
      .meta({ description: 'Synced by its provider, so that losing one device does not lose it.' }),
    transports: z.array(z.string()),
    createdAt: z.iso.datetime(),
    lastUsedAt: z.iso.datetime().nullable(),
  })
  .meta({ id: 'Credential' })
