import type { Database } from '@lanyard/database'
import type { Kysely } from 'kysely'
import type { Wallet } from '../../accounts/accounts/kind.ts'
import type { SmartBalanceServices } from '../model/services.ts'
import { type AgreedTerms, makeTerms, parseTerms, serializeTerms, type TermsRequest } from './terms.ts'

/** Milliseconds for which the quoted cost applies to a solution. */
const lifetime = 60_000

/** Milliseconds after which new terms are created, even if quotes keep prolonging the old ones. */
const maxLifetime = 300_000

export interface LastingTerms {
  readonly terms: AgreedTerms
  readonly expiresAt: Date
}

type Request = Omit<TermsRequest, 'deployed'> & {
  readonly wallet: Wallet
}

/**
 * The account's last quoted terms for a network while they are valid, otherwise new ones. They are written
 * before they are returned, so that all replicas use them.
 *
 * @param prolong - true: a minute from now, as a quote promises
 * @throws NETWORK_UNAVAILABLE, NETWORK_FAILED
 */
export async function getOrCreateTerms(
  services: Pick<SmartBalanceServices, 'env' | 'networks' | 'database' | 'now' | 'log'>,
  { wallet, network, signer }: Request,
  { prolong }: { readonly prolong: boolean },
): Promise<LastingTerms> {
  const { database, now } = services
  const key = { account: wallet.address.toLowerCase(), output_network: network.chainId }
  const agreed = await findTerms(database, key, now())
  if (agreed) return prolong ? prolongTerms(database, key, agreed, now()) : agreed

  const code = await network.call((client) => client.getCode({ address: wallet.address }))
  const terms = await makeTerms(services, { network, signer, deployed: code !== undefined })
  const expiresAt = new Date(now().getTime() + lifetime)
  const written = await insertTerms(database, key, { terms, expiresAt }, now())
  if (written) return { terms, expiresAt }
  return (await findTerms(database, key, now())) ?? { terms, expiresAt } // another request came first
}

type Key = { readonly account: string; readonly output_network: number }

async function findTerms(
  database: Kysely<Database>,
  { account, output_network }: Key,
  now: Date,
): Promise<LastingTerms | undefined> {
  const row = await database
    .selectFrom('smart_balance_terms')
    .selectAll()
    .where('account', '=', account)
    .where('output_network', '=', output_network)
    .where('expires_at', '>', now)
    .where('made_at', '>', oldest(now))
    .executeTakeFirst()
  return row && { terms: parseTerms(row.terms), expiresAt: row.expires_at }
}

const oldest = (now: Date) => new Date(now.getTime() - maxLifetime)

/** No guard is needed: terms that another request has written in the meantime last equally long. */
async function prolongTerms(
  database: Kysely<Database>,
  { account, output_network }: Key,
  { terms }: LastingTerms,
  now: Date,
): Promise<LastingTerms> {
  const expiresAt = new Date(now.getTime() + lifetime)
  await database
    .updateTable('smart_balance_terms')
    .set({ expires_at: expiresAt })
    .where('account', '=', account)
    .where('output_network', '=', output_network)
    .execute()
  return { terms, expiresAt }
}

/** False when valid terms exist by now. */
async function insertTerms(
  database: Kysely<Database>,
  key: Key,
  { terms, expiresAt }: LastingTerms,
  now: Date,
): Promise<boolean> {
  const row = { terms: serializeTerms(terms), made_at: now, expires_at: expiresAt }
  const written = await database
    .insertInto('smart_balance_terms')
    .values({ ...key, ...row })
    .onConflict((conflict) =>
      conflict
        .columns(['account', 'output_network'])
        .doUpdateSet(row)
        .where(({ eb, or }) =>
          or([
            eb('smart_balance_terms.expires_at', '<=', now),
            eb('smart_balance_terms.made_at', '<=', oldest(now)),
          ]),
        ),
    )
    .returning('account')
    .executeTakeFirst()
  return written !== undefined
}
