import { type OperationRow, repairInclusion, repairMissingInclusion } from '@lanyard/database'
import type { BlockRange } from '@lanyard/networks'
import { sql } from 'kysely'
import {
  type EventLog,
  type Inclusion,
  revertReasonOf,
  toInclusions,
} from '../../../domain/operations/track/inclusion.ts'
import { decodeSessionRevert } from '../../../domain/session-keys/session-rejected.ts'
import { type Difference, disagreements, type RepairContext } from './difference.ts'

/**
 * Compares the operations in a range of final blocks with their rows, in both directions. Signed operations that
 * are not final are left out: the worker compares them with the chain.
 */
export async function compareOperations(
  context: RepairContext,
  range: BlockRange,
  events: readonly EventLog[],
): Promise<Difference[]> {
  const inclusions = await toInclusions(context.network, events)
  const rows = await findRows(context, inclusions)
  const ofEvents = inclusions.flatMap((inclusion, index) => {
    const row = rows.get(inclusion.userOpHash)
    return row ? compare(row, inclusion, context.now) : unknown(context, events[index], inclusion)
  })
  const absent = (await findFinalRows(context, range)).filter(({ user_op_hash }) => !rows.has(user_op_hash))
  return [...ofEvents, ...absent.map((row) => notOnChain(row, context.now))]
}

const subjectOf = ({ network, account, user_op_hash: subject }: OperationRow) => ({
  network,
  account,
  subject,
})

function compare(row: OperationRow, inclusion: Inclusion, now: Date): Difference[] {
  if (row.signed_at !== null && !row.final) return []
  const revertReason = revertReasonOf({ revertDecoders: [decodeSessionRevert] }, inclusion)
  const repair: Difference['repair'] = (database) =>
    repairInclusion(database, row, { inclusion: { ...inclusion, revertReason }, now })
  if (row.state !== 'included') {
    const { state, final } = row
    const chain = { state: 'included', txn_hash: inclusion.txnHash, success: inclusion.success }
    return [{ ...subjectOf(row), kind: 'OPERATION_INCLUDED', database: { state, final }, chain, repair }]
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
  return found ? [{ ...subjectOf(row), kind: 'INCLUSION_DIFFERS', ...found, repair }] : []
}

/** The worker searches the chain for the operation again: it may be in another block. */
function notOnChain(row: OperationRow, now: Date): Difference {
  const { state, txn_hash, block_number, block_hash } = row
  return {
    kind: 'INCLUSION_NOT_ON_CHAIN',
    ...subjectOf(row),
    database: { state, txn_hash, block_number, block_hash },
    chain: { state: null },
    repair: (database) => repairMissingInclusion(database, row, now),
  }
}

/** Milliseconds from a signature to its block, at most: an operation of the last hours of a month may be in the next one. */
const maxWait = 24 * 60 * 60_000

/** The row is never invented: the event contains only the hash, not the operation. */
function unknown(
  { network, detachedMonths }: RepairContext,
  log: EventLog | undefined,
  { userOpHash: subject, txnHash: txn_hash, success, timestamp }: Inclusion,
): Difference[] {
  const isDetached = [timestamp, new Date(timestamp.getTime() - maxWait)].some((at) =>
    detachedMonths.includes(at.toISOString().slice(0, 7)),
  )
  if (!log || isDetached) return []
  const named = { network: network.chainId, account: log.args.sender.toLowerCase(), subject }
  const chain = { state: 'included', txn_hash, success }
  return [{ kind: 'OPERATION_UNKNOWN', ...named, database: {}, chain }]
}

async function findRows(
  { database, network }: RepairContext,
  inclusions: readonly Inclusion[],
): Promise<ReadonlyMap<string, OperationRow>> {
  const hashes = inclusions.map(({ userOpHash }) => userOpHash)
  const rows = await database
    .selectFrom('every_operation')
    .selectAll()
    .where('network', '=', network.chainId)
    .where('user_op_hash', '=', sql<string>`any(${hashes}::text[])`)
    .execute()
  return new Map(rows.map((row) => [row.user_op_hash, row]))
}

async function findFinalRows(
  { database, network, accounts }: RepairContext,
  { fromBlock, toBlock }: BlockRange,
): Promise<OperationRow[]> {
  const rows = await database
    .selectFrom('every_operation')
    .selectAll()
    .where('network', '=', network.chainId)
    .where('state', '=', 'included')
    .where('final', '=', true)
    .where('block_number', '>=', Number(fromBlock))
    .where('block_number', '<=', Number(toBlock))
    .execute()
  return rows.filter(({ account }) => accounts.has(account))
}
