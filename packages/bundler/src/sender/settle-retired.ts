import { markLost } from '@lanyard/database'
import { sql } from 'kysely'
import { type Address, getAddress } from 'viem'
import type { SenderContext } from './context.ts'
import { fenced, type Lease, takeLease, underLease } from './lease.ts'
import { forgetOthers, hasWaited, settleTransactions } from './settle-transactions.ts'

/** Accounts that have pending transactions and are no longer configured. */
export interface RetiredSenders {
  /**
   * Completes their transactions. That takes no key: transactions are stored with their signatures, so they
   * are resent and checked like all others. A configured account sends the contents of those that the chain
   * shows as lost.
   */
  settle(): Promise<void>
}

/** Milliseconds between searches when there is none: only a change of the configuration creates one. */
const pause = 5_000

/** @param configured - accounts that settle their own transactions */
export function retiredSenders(context: SenderContext, configured: readonly Address[]): RetiredSenders {
  let next = 0
  return {
    async settle() {
      const now = context.now().getTime()
      if (now < next) return
      const retired = await findRetired(context, configured)
      if (retired.length === 0) next = now + pause
      for (const sender of retired) {
        await underLease(context, await takeLease(context, sender), (lease) => settle(context, lease))
      }
    },
  }
}

async function settle(context: SenderContext, lease: Lease): Promise<void> {
  const { live } = await settleTransactions(context, lease)
  const stuck = [...Map.groupBy(live, ({ nonce }) => nonce).values()].filter((ofNonce) => {
    const newest = ofNonce.at(-1)
    return newest !== undefined && hasWaited(context, newest, context.settings.abandonAfter)
  })
  if (stuck.length === 0) return
  const given = stuck.flat()
  await giveUp(context, lease, given)
  const waiting = live.filter((row) => !given.includes(row))
  forgetOthers(context, lease.relayer, waiting)
}

/**
 * Without the key nobody can offer higher fees for their nonces, nor close a gap below them. So another
 * account sends their contents. If they are mined nevertheless, the contract keeps the contents from taking
 * effect twice.
 */
async function giveUp(
  context: SenderContext,
  lease: Lease,
  rows: readonly { readonly txn_hash: string }[],
): Promise<void> {
  const hashes = rows.map(({ txn_hash }) => txn_hash)
  await fenced(context, lease, (trx) => markLost(trx, hashes))
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
