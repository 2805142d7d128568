import { type OrderRow, repairMissingOrderOutcome, repairOrderOutcome } from '@lanyard/database'
import type { BlockRange } from '@lanyard/networks'
import type { Hash } from 'viem'
import {
  findOutcomeEvents,
  placeOf,
  readOutcomes,
} from '../../../domain/smart-balance/settlement/read-outcomes.ts'
import { balanceContract } from './balance-contract.ts'
import { chunksOf, type RepairContext } from './context.ts'
import { type Difference, disagreements } from './difference.ts'
import type { OutcomeLog } from './read-events.ts'

/** An order and its operation that the chain includes. */
interface SignedOrder {
  readonly order: OrderRow
  readonly orderHash: Hash
  readonly userOpHash: string
}

/** States in which an order was claimed or failed. */
const decided = {
  claimed: ['CLAIMED', 'ATTESTED', 'SETTLED'],
  failed: ['FAILED', 'ATTESTED', 'SETTLED'],
} as const satisfies Record<OutcomeLog['outcome'], readonly OrderRow['state'][]>

/**
 * Compares the outcomes of orders in a range of final blocks of their output network with their rows, in both
 * directions.
 */
export async function compareOrders(
  context: RepairContext,
  range: BlockRange,
  outcomes: readonly OutcomeLog[],
): Promise<Difference[]> {
  const rows = await findSigned(context, outcomes)
  const ofEvents = outcomes.flatMap((outcome) => {
    const signed = rows.get(outcome.orderHash)
    return signed ? compare(signed, outcome) : unknown(context, outcome)
  })
  const seen = new Set<string>(outcomes.map(({ orderHash }) => orderHash))
  const absent = (await findDecided(context, range)).filter(({ orderHash }) => !seen.has(orderHash))
  return [...ofEvents, ...(await Promise.all(absent.map((signed) => compareAbsent(context, signed)))).flat()]
}

function compare(signed: SignedOrder, event: OutcomeLog): Difference[] {
  const { order, userOpHash } = signed
  const states: readonly OrderRow['state'][] = decided[event.outcome]
  const fits = states.includes(order.state)
  const found = disagreements(
    { ...order },
    {
      ...(fits ? {} : { state: event.outcome === 'claimed' ? 'CLAIMED' : 'FAILED' }),
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
    repairOrderOutcome(database, order, { outcome: event, userOpHash, stateFits: fits })
  return [{ kind: 'ORDER_OUTCOME', ...subjectOf(order), ...found, repair }]
}

function unknown(
  { network }: RepairContext,
  { account, orderHash, outcome, txnHash }: OutcomeLog,
): Difference[] {
  const named = { network: network.chainId, account, subject: orderHash }
  return [{ kind: 'ORDER_UNKNOWN', ...named, database: {}, chain: { outcome, txn_hash: txnHash } }]
}

/**
 * The row names a block of the range without an event; SmartBalance's own record shows whether it is in
 * another block or does not exist.
 */
async function compareAbsent(context: RepairContext, signed: SignedOrder): Promise<Difference[]> {
  const { network, final } = context
  const { order, orderHash } = signed
  const on = balanceContract(network)
  if (!on) return []
  const outcomes = await readOutcomes(on, [placeOf(order, orderHash)], final)
  if (outcomes.has(orderHash)) {
    const search = { toBlock: final.number, since: order.reserved_at }
    const [event] = await findOutcomeEvents(on, [orderHash], search)
    return event ? compare(signed, { ...event, account: order.account }) : []
  }
  const { state, outcome, txn_hash, block_number } = order
  const database = { state, outcome, txn_hash, block_number }
  const difference = { ...subjectOf(order), database, chain: { outcome: null } }
  // The attestations of an attested order contradict the chain: a person has to look.
  const isAttested = order.state !== 'CLAIMED' && order.state !== 'FAILED'
  const repair: Difference['repair'] = (db) => repairMissingOrderOutcome(db, order)
  return [{ kind: 'ORDER_OUTCOME_NOT_ON_CHAIN', ...difference, ...(!isAttested && { repair }) }]
}

const subjectOf = ({ output_network, account, order_id }: OrderRow) => ({
  network: output_network,
  account,
  subject: order_id,
})

async function findSigned(
  { database }: RepairContext,
  outcomes: readonly OutcomeLog[],
): Promise<ReadonlyMap<string, SignedOrder>> {
  const found = new Map<string, SignedOrder>()
  for (const chunk of chunksOf(outcomes)) {
    const rows = await database
      .selectFrom('orders')
      .innerJoin('order_operations as signed', 'signed.order_id', 'orders.order_id')
      .selectAll('orders')
      .select(['signed.order_hash as signed_hash', 'signed.user_op_hash as signed_operation'])
      .where(
        'signed.order_hash',
        'in',
        chunk.map(({ orderHash }) => orderHash),
      )
      .execute()
    for (const { signed_hash, signed_operation, ...order } of rows) {
      found.set(signed_hash, { order, orderHash: signed_hash as Hash, userOpHash: signed_operation }) // the column holds hex
    }
  }
  return found
}

/** Finds orders with debits: SmartBalance keeps no record of the others. */
async function findDecided(
  { database, network, accounts }: RepairContext,
  { fromBlock, toBlock }: BlockRange,
): Promise<SignedOrder[]> {
  const selected = new Set(accounts)
  const rows = await database
    .selectFrom('orders')
    .selectAll()
    .where('output_network', '=', network.chainId)
    .where('block_number', '>=', Number(fromBlock))
    .where('block_number', '<=', Number(toBlock))
    .where('order_hash', 'is not', null)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('order_debits')
          .select('network')
          .whereRef('order_debits.order_id', '=', 'orders.order_id'),
      ),
    )
    .execute()
  return rows.flatMap((order) => {
    const { order_hash, user_op_hash, account } = order
    if (order_hash === null || user_op_hash === null || !selected.has(account)) return []
    return [{ order, orderHash: order_hash as Hash, userOpHash: user_op_hash }] // the same
  })
}
