import { type OrderRow, repairOrderOutcome } from '@lanyard/database'
import type { BlockRange } from '@lanyard/networks'
import { sql } from 'kysely'
import type { OutcomeEvent } from '../../../domain/smart-balance/settlement/read-outcomes.ts'
import { type Difference, disagreements, type RepairContext } from './difference.ts'

/** An order's outcome in a final block of its output network. The account in lower case. */
export type OutcomeOfAccount = OutcomeEvent & { readonly account: string }

/** States that no worker compares with the chain any more. */
const ended: readonly OrderRow['state'][] = ['ATTESTED', 'SETTLED', 'EXPIRED']

/**
 * Compares the outcomes of orders in a range of final blocks of their output network with their rows, in both
 * directions. Orders that have not ended are left out: the worker compares them with the chain.
 */
export async function compareOrders(
  context: RepairContext,
  range: BlockRange,
  outcomes: readonly OutcomeOfAccount[],
): Promise<Difference[]> {
  const rows = await findSigned(context, outcomes)
  const ofEvents = outcomes.flatMap((outcome) => {
    const signed = rows.get(outcome.orderHash)
    return signed ? compare(signed, outcome) : unknown(context, outcome)
  })
  const seen = new Set<string | null>(outcomes.map(({ orderHash }) => orderHash))
  const attested = await findAttested(context, range)
  const absent = attested.filter(({ order_hash }) => !seen.has(order_hash))
  return [...ofEvents, ...absent.map(notOnChain)]
}

interface SignedOrder {
  readonly order: OrderRow
  /** The operation that the chain includes. */
  readonly userOpHash: string
}

const subjectOf = ({ output_network: network, account, order_id: subject }: OrderRow) => ({
  network,
  account,
  subject,
})

/**
 * An expired order that has an outcome is reopened, and collected from its deposits. Any other one is only
 * reported: its attestations contradict the chain, so a person has to look.
 */
function compare({ order, userOpHash }: SignedOrder, event: OutcomeOfAccount): Difference[] {
  if (!ended.includes(order.state)) return []
  const isExpired = order.state === 'EXPIRED'
  const found = disagreements(
    { ...order },
    {
      ...(isExpired && { state: event.outcome === 'claimed' ? 'CLAIMED' : 'FAILED' }),
      outcome: event.outcome,
      order_hash: event.orderHash,
      user_op_hash: userOpHash,
      txn_hash: event.txnHash,
      block_number: Number(event.blockNumber),
      block_hash: event.blockHash,
    },
  )
  if (!found) return []
  const repair: Difference['repair'] = (database) =>
    repairOrderOutcome(database, order, { outcome: event, userOpHash })
  return [{ kind: 'ORDER_OUTCOME', ...subjectOf(order), ...found, ...(isExpired && { repair }) }]
}

function unknown({ network }: RepairContext, event: OutcomeOfAccount): Difference[] {
  const { account, orderHash: subject, outcome, txnHash: txn_hash } = event
  const named = { network: network.chainId, account, subject }
  return [{ kind: 'ORDER_UNKNOWN', ...named, database: {}, chain: { outcome, txn_hash } }]
}

function notOnChain(order: OrderRow): Difference {
  const { state, outcome, txn_hash, block_number } = order
  const database = { state, outcome, txn_hash, block_number }
  return { kind: 'ORDER_OUTCOME_NOT_ON_CHAIN', ...subjectOf(order), database, chain: { outcome: null } }
}

async function findSigned(
  { database }: RepairContext,
  outcomes: readonly OutcomeOfAccount[],
): Promise<ReadonlyMap<string, SignedOrder>> {
  const hashes = outcomes.map(({ orderHash }) => orderHash)
  const rows = await database
    .selectFrom('orders')
    .innerJoin('order_operations as signed', 'signed.order_id', 'orders.order_id')
    .selectAll('orders')
    .select(['signed.order_hash as signed_hash', 'signed.user_op_hash as userOpHash'])
    .where('signed.order_hash', '=', sql<string>`any(${hashes}::text[])`)
    .execute()
  return new Map(rows.map(({ signed_hash, userOpHash, ...order }) => [signed_hash, { order, userOpHash }]))
}

/** Only orders with debits: SmartBalance keeps no record of the others. */
async function findAttested(
  { database, network, accounts }: RepairContext,
  { fromBlock, toBlock }: BlockRange,
): Promise<OrderRow[]> {
  const rows = await database
    .selectFrom('orders')
    .selectAll()
    .where('output_network', '=', network.chainId)
    .where('state', 'in', ended)
    .where('block_number', '>=', Number(fromBlock))
    .where('block_number', '<=', Number(toBlock))
    .where('order_id', 'in', ({ selectFrom }) => selectFrom('order_debits').select('order_id'))
    .execute()
  return rows.filter(({ account }) => accounts.has(account))
}
