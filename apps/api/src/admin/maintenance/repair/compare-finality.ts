import { type OperationRow, repairFinality } from '@lanyard/database'
import { getAddress } from 'viem'
import { readNoncesUsed } from '../../../domain/operations/nonce-positions.ts'
import { validUntilOf } from '../../../domain/operations/track/finalize.ts'
import { orderValidUntil } from '../../../domain/smart-balance/orders/operation-hooks.ts'
import { chunksOf, type RepairContext } from './context.ts'
import type { Difference } from './difference.ts'

/**
 * Checks signed operations that are marked final without being included. A final block has to show that their
 * nonce is used, that another first operation deployed their account, or that their validity is over. No
 * other process would ever check them again.
 */
export async function compareFinality(context: RepairContext): Promise<Difference[]> {
  const found: Difference[] = []
  for (const accounts of chunksOf(context.accounts)) {
    const rows = await findFinalRows(context, accounts)
    const undecided = await findUndecided(context, rows)
    found.push(
      ...undecided.map((row): Difference => {
        const { network, account, user_op_hash: subject, state, final } = row
        const chain = row.state === 'included' ? { final_block: context.final.number } : { nonce_used: false }
        const named = { network, account, subject, database: { state, final }, chain }
        return {
          kind: 'FINAL_TOO_EARLY',
          ...named,
          repair: (database) => repairFinality(database, row, context.now),
        }
      }),
    )
  }
  return found
}

const findFinalRows = ({ database, network, final }: RepairContext, accounts: readonly string[]) =>
  database
    .selectFrom('operations')
    .selectAll()
    .where('network', '=', network.chainId)
    .where('account', 'in', accounts)
    .where('final', '=', true)
    .where('signature', 'is not', null)
    .where((where) =>
      where.or([
        where('state', 'in', ['submitting', 'submitted', 'dropped', 'expired']),
        where.and([where('state', '=', 'included'), where('block_number', '>', Number(final.number))]),
      ]),
    )
    .execute()

async function findUndecided(
  { network, final }: RepairContext,
  rows: readonly OperationRow[],
): Promise<OperationRow[]> {
  const early = rows.filter(({ state }) => state === 'included')
  const lapsed = (row: OperationRow) => {
    const validUntil = validUntilOf(network, row, { validUntil: orderValidUntil })
    return validUntil > 0 && validUntil < final.timestamp
  }
  const doubtful = rows.filter((row) => row.state !== 'included' && !lapsed(row))
  const used = new Set<OperationRow>()
  for (const chunk of chunksOf(doubtful)) {
    for (const row of await readNoncesUsed(network, chunk, { blockNumber: final.number })) used.add(row)
  }
  const unused = doubtful.filter((row) => !used.has(row))
  const deployed = await Promise.all(
    unused.map(async ({ deploys, account }) => {
      if (!deploys) return false
      const at = { address: getAddress(account), blockNumber: final.number }
      return (await network.call((client) => client.getCode(at))) !== undefined
    }),
  )
  return [...early, ...unused.filter((_, index) => !deployed[index])]
}
