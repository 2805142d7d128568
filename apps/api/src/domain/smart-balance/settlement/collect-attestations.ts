import { type Database, type OrderRow, recordAttested } from '@lanyard/database'
import type { Kysely } from 'kysely'
import type { Address, Hash } from 'viem'
import { readAttestorSet } from './attestor-set.ts'
import type { SettlementDependencies } from './dependencies.ts'
import type { BalanceNetwork } from './networks.ts'
import { findTrackedOrders, type OpenOrder } from './tracked-orders.ts'
import { validAttestations } from './valid-attestations.ts'

/**
 * `CLAIMED | FAILED → ATTESTED` when as many attestors as SmartBalance requires have attested the outcome;
 * its debits become DUE. An attestation with an invalid signature, or of another outcome, does not count.
 *
 * @throws NETWORK_UNAVAILABLE, NETWORK_FAILED
 */
export async function collectAttestations(
  { database, checkpoint }: SettlementDependencies,
  on: BalanceNetwork,
  pass: readonly OpenOrder[],
): Promise<void> {
  const tracked = await findTrackedOrders(database, pass, ['CLAIMED', 'FAILED'])
  const orders = tracked.filter(({ hasDebits }) => hasDebits).map(({ order }) => order)
  const attested = await Promise.all(orders.map((order) => findAttestors(database, on, order)))
  const candidates = [...new Set(attested.flat())]
  if (candidates.length === 0) return
  const { threshold, members } = await readAttestorSet(on, candidates)
  const ready = orders.filter(
    (_, index) => (attested[index] ?? []).filter((attestor) => members.has(attestor)).length >= threshold,
  )
  if (ready.length === 0) return
  await checkpoint('tracking:attestations-counted')
  for (const order of ready) await recordAttested(database, order)
  await checkpoint('tracking:attested')
}

async function findAttestors(
  database: Kysely<Database>,
  { contract }: BalanceNetwork,
  { order_hash, outcome }: OrderRow,
): Promise<Address[]> {
  if (order_hash === null || outcome === null) return []
  const rows = await database
    .selectFrom('attestations')
    .selectAll()
    .where('order_hash', '=', order_hash)
    .execute()
  const valid = await validAttestations(rows, {
    smartBalance: contract.address,
    orderHash: order_hash as Hash, // the column holds 0x and 64 digits
    outcome,
  })
  return valid.map(({ attestor }) => attestor)
}
