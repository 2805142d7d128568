import { sql } from 'kysely'
import { type Address, getAddress } from 'viem'
import type { SenderContext } from './context.ts'
import { fenced, type Lease } from './lease.ts'
import { settleTransactions } from './settle-transactions.ts'
import { hasWaited } from './stuck-transaction.ts'
import { underLease } from './under-lease.ts'

/** Accounts that have transactions on their way and are not configured any more. */
export interface RetiredSenders {
  /**
   * Sees their transactions through. That takes no key: they are stored with their signatures, so they are sent again and
   * looked for like all others; what the chain shows lost goes with an account that is configured.
   */
  settle(): Promise<void>
}

/** Milliseconds until one is looked for again where there was none: only a change of the configuration makes one. */
const pause = 5_000

/** @param configured - accounts that look after their transactions themselves */
export function retiredSenders(context: SenderContext, configured: readonly Address[]): RetiredSenders {
  let next = 0
  return {
    async settle() {
      const now = context.now().getTime()
      if (now < next) return
      const retired = await findRetired(context, configured)
      if (retired.length === 0) next = now + pause
      for (const sender of retired) await underLease(context, sender, (lease) => settle(context, lease))
    },
  }
}

async function settle(context: SenderContext, lease: Lease): Promise<void> {
  const { live } = await settleTransactions(context, lease)
  const stuck = [...Map.groupBy(live, ({ nonce }) => nonce).values()].filter((ofNonce) => {
    const newest = ofNonce.at(-1)
    return newest !== undefined && hasWaited(context, newest, context.settings.abandonAfter)
  })
  if (stuck.length > 0) await giveUp(context, lease, stuck.flat())
}

/**
 * Without the key nobody can offer higher fees under their nonces, nor close a gap below them. So another account sends
 * what they carry; should they be mined nevertheless, the contract keeps that from happening twice.
 */
async function giveUp(
  context: SenderContext,
  lease: Lease,
  rows: readonly { readonly txn_hash: string }[],
): Promise<void> {
  const hashes = rows.map(({ txn_hash }) => txn_hash)
  await fenced(context, lease, (trx) =>
    trx
      .updateTable('relayer_transactions')
      .set({ state: 'lost' })
      .where('txn_hash', 'in', hashes)
      .where('state', '=', 'live')
      .execute(),
  )
  for (const hash of hashes) context.seenWaiting.delete(hash)
}

async function findRetired(
  { database, network, hasContents, hasOpenContents }: SenderContext,
  configured: readonly Address[],
): Promise<Address[]> {
  const rows = await database
    .selectFrom('relayer_transactions as tx')
    .select('tx.relayer')
    .distinct()
    .where('tx.network', '=', network.chainId)
    .where(
      'tx.relayer',
      'not in',
      configured.map((address) => address.toLowerCase()),
    )
    .where((eb) =>
      eb.or([
        eb.and([eb('tx.state', '=', sql.lit('live')), hasContents]),
        eb.and([eb('tx.state', '=', 'mined'), hasOpenContents]),
      ]),
    )
    .execute()
  return rows.map(({ relayer }) => getAddress(relayer))
}
