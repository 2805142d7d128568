import type { Database } from '@lanyard/database'
import type { Network } from '@lanyard/networks'
import { type Kysely, sql } from 'kysely'
import type { Hash } from 'viem'
import { readInclusions } from '../operations/inclusion.ts'
import { readFinalBlock } from '../smart-balance/final-block.ts'

/** One pass looks at this many; the next pass goes on. */
const passSize = 200

/** Whether the validity of a sponsored operation has ended by the clock, so that the chain is worth asking. */
export async function hasSponsorshipsToCharge(
  { database, now }: { readonly database: Kysely<Database>; readonly now: () => Date },
  network: number,
): Promise<boolean> {
  const ended = await database
    .selectFrom('sponsorships')
    .select('user_op_hash')
    .where('network', '=', network)
    .where('charged', 'is', null)
    .where('valid_until', '<', Math.floor(now().getTime() / 1000))
    .limit(1)
    .executeTakeFirst()
  return ended !== undefined
}

/**
 * Replaces what sponsored operations reserved by what they did cost, where a final block makes that certain: it is past
 * the operation's validity, so its event is there, or it never will be. The chain is asked, not our rows, since the
 * operation may have come another way. Everything else stays reserved.
 *
 * When the process dies between two of them, the next pass does the rest; each is charged once, by its guard.
 *
 * @throws NETWORK_UNAVAILABLE, NETWORK_FAILED
 */
export async function chargeSponsorships(
  { database }: { readonly database: Kysely<Database> },
  network: Network,
): Promise<void> {
  const open = await database
    .selectFrom('sponsorships')
    .selectAll()
    .where('network', '=', network.chainId)
    .where('charged', 'is', null)
    .orderBy('created_at')
    .limit(passSize)
    .execute()
  if (open.length === 0) return
  const { timestamp } = await readFinalBlock(network)
  const ended = open.filter(({ valid_until }) => valid_until < timestamp)
  if (ended.length === 0) return
  const inclusions = await readInclusions(network, {
    hashes: ended.map(({ user_op_hash }) => user_op_hash as Hash), // the column holds 0x and 64 digits
    fromBlock: BigInt(Math.min(...ended.map(({ built_at_block }) => built_at_block))),
  })
  const costs = new Map<string, bigint>(inclusions.map(({ userOpHash, gasCost }) => [userOpHash, gasCost]))
  for (const { user_op_hash } of ended) await charge(database, user_op_hash, costs.get(user_op_hash) ?? 0n)
}

async function charge(database: Kysely<Database>, userOpHash: string, cost: bigint): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    const charged = await transaction
      .updateTable('sponsorships')
      .set({ charged: cost })
      .where('user_op_hash', '=', userOpHash)
      .where('charged', 'is', null)
      .returning(['network', 'day', 'reserved'])
      .executeTakeFirst()
    if (!charged) return
    const { network, day, reserved } = charged
    await transaction
      .updateTable('sponsorship_days')
      .set({ taken: sql`taken - ${reserved - cost}` })
      .where('network', '=', network)
      .where('day', '=', day)
      .execute()
  })
}
