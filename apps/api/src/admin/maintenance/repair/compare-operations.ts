import { type OperationRow, repairMissingInclusion } from '@lanyard/database'
import type { BlockRange } from '@lanyard/networks'
import type { Hash } from 'viem'
import {
  type EventLog,
  type Inclusion,
  readInclusions,
  toInclusions,
} from '../../../domain/operations/track/inclusion.ts'
import { chunksOf, type RepairContext } from './context.ts'
import { type Difference, disagreements } from './difference.ts'
import { repairOperation } from './repair-operation.ts'

/** Compares the operations in a range of final blocks with their rows, in both directions. */
export async function compareOperations(
  context: RepairContext,
  range: BlockRange,
  events: readonly EventLog[],
): Promise<Difference[]> {
  const inclusions = await toInclusions(context.network, events)
  const rows = await findRows(context, inclusions)
  const ofEvents = inclusions.flatMap((inclusion, index) => {
    const row = rows.get(inclusion.userOpHash)
    return row ? compare(context, row, inclusion) : unknown(context, events[index], inclusion)
  })
  const seen = new Set<string>(inclusions.map(({ userOpHash }) => userOpHash))
  const absent = (await findIncludedRows(context, range)).filter(
    ({ user_op_hash }) => !seen.has(user_op_hash),
  )
  return [...ofEvents, ...(await compareAbsent(context, absent))]
}

function compare(context: RepairContext, row: OperationRow, inclusion: Inclusion): Difference[] {
  const named = { network: row.network, account: row.account, subject: row.user_op_hash }
  const repair = repairOperation(context, row, inclusion)
  if (row.state !== 'included') {
    const { state, final } = row
    const chain = { state: 'included', txn_hash: inclusion.txnHash, success: inclusion.success }
    return [{ ...named, kind: 'OPERATION_INCLUDED', database: { state, final }, chain, repair }]
  }
  const found = disagreements(
    { ...row },
    {
      txn_hash: inclusion.txnHash,
      block_number: Number(inclusion.blockNumber),
      block_hash: inclusion.blockHash,
      included_at: inclusion.timestamp,
      success: inclusion.success,
      gas_cost: inclusion.gasCost,
      reason_code: inclusion.success ? null : 'EXECUTION_REVERTED',
    },
  )
  return found ? [{ ...named, kind: 'INCLUSION_DIFFERS', ...found, repair }] : []
}

/** Milliseconds from a signature to its block, at most: an operation of the last hours of a month may be in the next one. */
const longestWait = 24 * 60 * 60_000

/** Whether the operation of a block may be one of a month that somebody took off line. */
const isDetached = (months: readonly string[], included: Date): boolean =>
  [included, new Date(included.getTime() - longestWait)].some((at) =>
    months.includes(at.toISOString().slice(0, 7)),
  )

/** The row is never invented: the event contains only the hash, not the operation. */
function unknown(
  { network, detachedMonths }: RepairContext,
  log: EventLog | undefined,
  { userOpHash, txnHash, success, timestamp }: Inclusion,
): Difference[] {
  if (!log || isDetached(detachedMonths, timestamp)) return []
  const account = log.args.sender.toLowerCase()
  const chain = { state: 'included', txn_hash: txnHash, success }
  return [
    {
      kind: 'OPERATION_UNKNOWN',
      network: network.chainId,
      account,
      subject: userOpHash,
      database: {},
      chain,
    },
  ]
}

/**
 * Checks rows that name a block of the range in which the chain has no event for them: it may be in another
 * block.
 */
async function compareAbsent(context: RepairContext, rows: readonly OperationRow[]): Promise<Difference[]> {
  const { network, final } = context
  const compared = rows.map(async (row): Promise<Difference[]> => {
    const [inclusion] = await readInclusions(network, {
      hashes: [row.user_op_hash as Hash], // the column holds 0x and 64 digits
      fromBlock: BigInt(row.signed_at_block ?? 0),
    })
    // The worker handles blocks after the final block.
    if (inclusion) return inclusion.blockNumber <= final.number ? compare(context, row, inclusion) : []
    const { txn_hash, block_number, block_hash } = row
    return [
      {
        kind: 'INCLUSION_NOT_ON_CHAIN',
        network: row.network,
        account: row.account,
        subject: row.user_op_hash,
        database: { state: row.state, txn_hash, block_number, block_hash },
        chain: { state: null },
        repair: (database) => repairMissingInclusion(database, row, context.now),
      },
    ]
  })
  return (await Promise.all(compared)).flat()
}

async function findRows(
  { database, network }: RepairContext,
  inclusions: readonly Inclusion[],
): Promise<ReadonlyMap<string, OperationRow>> {
  const found = new Map<string, OperationRow>()
  for (const chunk of chunksOf(inclusions)) {
    const rows = await database
      .selectFrom('every_operation')
      .selectAll()
      .where('network', '=', network.chainId)
      .where(
        'user_op_hash',
        'in',
        chunk.map(({ userOpHash }) => userOpHash),
      )
      .execute()
    for (const row of rows) found.set(row.user_op_hash, row)
  }
  return found
}

async function findIncludedRows(
  { database, network, accounts }: RepairContext,
  { fromBlock, toBlock }: BlockRange,
): Promise<OperationRow[]> {
  const selected = new Set(accounts)
  const rows = await database
    .selectFrom('every_operation')
    .selectAll()
    .where('network', '=', network.chainId)
    .where('state', '=', 'included')
    .where('block_number', '>=', Number(fromBlock))
    .where('block_number', '<=', Number(toBlock))
    .execute()
  return rows.filter(({ account }) => selected.has(account))
}
