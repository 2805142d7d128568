import type { Database } from '@lanyard/database'
import type { Kysely } from 'kysely'
import { z } from 'zod'
import { ConfigurationError } from '../../../platform/environment/configuration-error.ts'
import type { NativeApps } from '../../../platform/environment/native-apps.ts'
import { originsOfApps } from './native-apps.ts'

/**
 * The party that requests ceremonies (WebAuthn L3 §4). A passkey works only on the domain that it was created
 * for.
 */
export interface RelyingParty {
  /** The authenticator shows it beside the account. */
  readonly name: string
  /** A domain, or `localhost`. */
  readonly rpId: string
  /** The origins of the wallet's pages: scheme, host and port. */
  readonly origins: readonly string[]
  /** Apps that run ceremonies without a page. */
  readonly apps: NativeApps
  /** Whether only the user's own token gets the IDs of their passkeys (`CREDENTIAL_IDS`). Default: false */
  readonly hidesCredentials?: boolean
}

/** The accepted origins: clientDataJSON must name one of them. */
export const ceremonyOrigins = ({ rpId, origins, apps }: PasskeyDomain): string[] => [
  ...new Set([...origins, ...originsOfApps(rpId, apps)]),
]

/** A domain, and who may use its passkeys. */
export type PasskeyDomain = Pick<RelyingParty, 'rpId' | 'origins' | 'apps'>

/**
 * Pages outside the RP ID's domain. A browser lets them use its passkeys only if the domain lists them
 * (WebAuthn L3 §5.11, related origins).
 */
export const relatedOrigins = ({ rpId, origins }: PasskeyDomain): string[] =>
  origins.filter((origin) => {
    const { hostname } = new URL(origin)
    return hostname !== rpId && !hostname.endsWith(`.${rpId}`)
  })

const storedOrigins = z.array(z.string())

/**
 * Fixes the RP ID and all origins, including those of apps, with the first passkey of the installation.
 * Another RP ID would orphan every passkey, and another origin would let other pages request
 * passkeys, so both change only on purpose.
 *
 * @param allowChange - the operator confirms the new values
 * @throws ConfigurationError, naming the old and the new values, when they differ and passkeys exist: the
 * service must not start
 */
export async function fixRelyingParty(
  database: Kysely<Database>,
  configured: RelyingParty,
  { allowChange }: { readonly allowChange: boolean },
): Promise<void> {
  const { rpId } = configured
  const origins = ceremonyOrigins(configured)
  await database.transaction().execute(async (transaction) => {
    const values = { rp_id: rpId, origins: JSON.stringify(origins) }
    await transaction
      .insertInto('relying_party')
      .values(values)
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    const stored = await transaction
      .selectFrom('relying_party')
      .selectAll()
      .forUpdate()
      .executeTakeFirstOrThrow()
    const before = { rpId: stored.rp_id, origins: storedOrigins.parse(stored.origins) }
    if (isSame(before, { rpId, origins })) return
    const passkey = await transaction.selectFrom('credentials').select('id').limit(1).executeTakeFirst()
    if (passkey && !allowChange) {
      throw new ConfigurationError('The environment', [
        `RP_ID, ORIGINS, IOS_APPS, ANDROID_APPS: passkeys exist for ${before.rpId} at ${before.origins.join(', ')}, and the configuration says ${rpId} at ${origins.join(', ')}. Passkeys of another RP ID stop working: set both back, or RP_CHANGE=allow if this is meant.`,
      ])
    }
    await transaction.updateTable('relying_party').set(values).execute()
  })
}

interface Fixed {
  readonly rpId: string
  readonly origins: readonly string[]
}

const isSame = (a: Fixed, b: Fixed) =>
  a.rpId === b.rpId && a.origins.toSorted().join() === b.origins.toSorted().join()
