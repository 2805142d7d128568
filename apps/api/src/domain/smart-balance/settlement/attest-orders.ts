import type { AttestationRow, Database, OrderRow } from '@lanyard/database'
import type { AgreedBlock } from '@lanyard/networks'
import { getAttestationTypedData } from '@lanyard/smart-balance'
import { type Kysely, sql } from 'kysely'
import type { Hash, LocalAccount } from 'viem'
import { createSweep, type Sweep } from '../../../platform/sweep.ts'
import { type BalanceNetwork, requireSmartBalance, type SettlementDependencies } from './dependencies.ts'
import { findOutcomeEvents, type OutcomeEvent, placeOf, readOutcomes } from './read-outcomes.ts'

/** Number of orders of a network that one pass of an attestor checks; the next pass continues after them. */
const attestPassSize = 100

type Attestor = Pick<LocalAccount, 'address' | 'signTypedData'>

/**
 * One pass of the attestors over an output network. The database only says which orders to check. Their
 * outcome is read from the attestor's own RPCs, at a final block, from SmartBalance's state and from its event.
 * Two of them must confirm both.
 *
 * @param sweeps - the position of each attestor after the previous pass; absent: begins with the oldest
 * @throws NO_SMART_BALANCE, NETWORK_UNCONFIRMED, NETWORK_UNAVAILABLE, NETWORK_FAILED, SIGNER_UNAVAILABLE, SIGNER_FAILED; changes
 * written by then remain valid
 */
export async function attestOrders(
  dependencies: SettlementDependencies,
  on: BalanceNetwork,
  attestors: readonly Attestor[],
  sweeps: readonly Sweep<Candidate>[] = sweepUnattested(dependencies.database, on, attestors),
): Promise<void> {
  const { checkpoint } = dependencies
  // Each attestor has its own sweep: orders that one cannot sign now do not block the others.
  const tasks = await Promise.all(
    attestors.map(async (attestor, index) => ({
      attestor,
      candidates: (await sweeps[index]?.next()) ?? [],
    })),
  )
  const all = new Map(tasks.flatMap(({ candidates }) => candidates.map((one) => [one.order_hash, one])))
  if (all.size === 0) return
  on.network.quorum.require()
  const block = await on.network.quorum.final()
  await requireSmartBalance(on, block)
  const final = await readFinalOutcomes(on, block, [...all.values()])
  await checkpoint('attest:outcome-read')
  const passes = tasks.map(async ({ attestor, candidates }) => {
    const own = new Set(candidates.map(({ order_hash }) => order_hash))
    for (const event of final) {
      if (own.has(event.orderHash)) await attest(dependencies, on, attestor, event)
    }
  })
  // Independent passes: if one signer is unavailable, the other attestors continue.
  const failed = (await Promise.allSettled(passes)).find(({ status }) => status === 'rejected')
  if (failed?.status === 'rejected') throw failed.reason
}

/** An order that an attestor has not attested yet. */
export interface Candidate extends Pick<OrderRow, 'account' | 'nonce_key' | 'nonce_sequence'> {
  readonly order_hash: string
  readonly created_at: Date
  readonly reserved_at: Date
}

/**
 * Iterates over the orders of an output network, for each attestor over those that it has not attested yet.
 */
export const sweepUnattested = (
  database: Kysely<Database>,
  { network }: BalanceNetwork,
  attestors: readonly Pick<Attestor, 'address'>[],
): readonly Sweep<Candidate>[] =>
  attestors.map((attestor) =>
    createSweep(attestPassSize, (after, size) => {
      const unattested = findUnattested(database, network.chainId, attestor).limit(size)
      if (!after) return unattested.execute()
      return unattested
        .where(
          sql<boolean>`(orders.reserved_at, signed.order_hash) > (${after.reserved_at}, ${after.order_hash})`,
        )
        .execute()
    }),
  )

/** Finds orders with debits that an attestor has not attested yet. */
function findUnattested(
  database: Kysely<Database>,
  outputNetwork: number,
  { address }: Pick<Attestor, 'address'>,
) {
  return database
    .selectFrom('orders')
    .innerJoin('order_operations as signed', 'signed.order_hash', 'orders.order_hash')
    .select(['signed.order_hash', 'signed.created_at', 'orders.reserved_at'])
    .select(['orders.account', 'orders.nonce_key', 'orders.nonce_sequence'])
    .where('orders.output_network', '=', outputNetwork)
    .where('orders.closed_at', 'is', null)
    .where('orders.state', 'in', ['CLAIMED', 'FAILED', 'ATTESTED'])
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('order_debits')
          .select('order_debits.order_id')
          .whereRef('order_debits.order_id', '=', 'orders.order_id')
          .where('order_debits.state', 'in', ['RESERVED', 'DUE', 'PARTIAL']),
      ),
    )
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('attestations')
            .select('attestations.order_hash')
            .whereRef('attestations.order_hash', '=', 'signed.order_hash')
            .where('attestations.attestor', '=', address.toLowerCase())
            .where('attestations.signature', 'is not', null),
        ),
      ),
    )
    .orderBy('orders.reserved_at')
    .orderBy('signed.order_hash')
}

/** State and event must agree, both within final blocks. */
async function readFinalOutcomes(
  on: BalanceNetwork,
  block: AgreedBlock,
  candidates: readonly Candidate[],
): Promise<OutcomeEvent[]> {
  const places = candidates.map((candidate) => placeOf(candidate, candidate.order_hash))
  const outcomes = await readOutcomes(on, places, block)
  if (outcomes.size === 0) return []
  const since = candidates
    .filter(({ order_hash }) => outcomes.has(order_hash as Hash)) // the column holds 0x and 64 digits
    .map(({ created_at }) => created_at)
    .reduce((least, at) => (at < least ? at : least))
  const events = await findOutcomeEvents(on, [...outcomes.keys()], { toBlock: block.number, since })
  return events.filter(({ orderHash, outcome }) => outcomes.get(orderHash) === outcome)
}

/**
 * Decides, signs, and writes the signature. The decision is written before anything is signed, so that no
 * crash and no other process of this attestor can attest two outcomes of one order. If the process dies in
 * between, the next one signs the same decision.
 */
async function attest(
  { database, checkpoint, log, now }: SettlementDependencies,
  { contract }: BalanceNetwork,
  attestor: Attestor,
  { orderHash, outcome, blockNumber, blockHash }: OutcomeEvent,
): Promise<void> {
  const decided = await decide(database, {
    order_hash: orderHash,
    attestor: attestor.address.toLowerCase(),
    outcome,
    block_number: Number(blockNumber),
    block_hash: blockHash,
    decided_at: now(),
    signature: null,
  })
  await checkpoint('attest:decided')
  if (decided.signature !== null) return
  if (decided.outcome !== outcome) {
    log.error(
      { orderHash, outcome, decided: decided.outcome },
      'one order has two final outcomes: not attested',
    )
    return
  }
  const signature = await attestor.signTypedData(
    getAttestationTypedData({ smartBalance: contract.address, orderHash, outcome }),
  )
  await checkpoint('attest:signed')
  await database
    .updateTable('attestations')
    .set({ signature })
    .where('order_hash', '=', orderHash)
    .where('attestor', '=', decided.attestor)
    .where('outcome', '=', outcome)
    .where('signature', 'is', null)
    .execute()
  await checkpoint('attest:written')
}

/** @returns the decision that this attestor wrote first */
async function decide(database: Kysely<Database>, row: AttestationRow): Promise<AttestationRow> {
  await database
    .insertInto('attestations')
    .values(row)
    .onConflict((conflict) => conflict.columns(['order_hash', 'attestor']).doNothing())
    .execute()
  return database
    .selectFrom('attestations')
    .selectAll()
    .where('order_hash', '=', row.order_hash)
    .where('attestor', '=', row.attestor)
    .executeTakeFirstOrThrow()
}
