import { type AttestationRow, type Database, type OrderRow, recordAttested } from '@lanyard/database'
import { attestorSetAbi } from '@lanyard/onchain'
import { type AttestorSignature, getAttestationHash, type Outcome } from '@lanyard/smart-balance'
import type { Kysely } from 'kysely'
import { type Address, getAddress, type Hash, type Hex, isAddressEqual, recoverAddress } from 'viem'
import { multicallAtBlock, readOf } from '../ledger/multicall-at-block.ts'
import type { BalanceNetwork, SettlementDependencies } from './dependencies.ts'
import type { OpenOrder } from './tracked-orders.ts'
import { findTrackedOrders } from './tracked-orders.ts'

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

interface Attested {
  readonly smartBalance: Address
  readonly orderHash: Hash
  readonly outcome: Outcome
}

/**
 * The attestations of exactly this outcome whose signature is valid. The chain decides whether the signer is
 * an attestor.
 */
export async function validAttestations(
  rows: readonly AttestationRow[],
  { smartBalance, orderHash, outcome }: Attested,
): Promise<AttestorSignature[]> {
  const hash = getAttestationHash({ smartBalance, orderHash, outcome })
  const checked = await Promise.all(
    rows.map(async (row) => {
      if (row.signature === null || row.outcome !== outcome || row.order_hash !== orderHash) return []
      const attestor = getAddress(row.attestor)
      const signature = row.signature as Hex // the value is validated here
      const signer = await recoverAddress({ hash, signature }).catch(() => undefined)
      return signer && isAddressEqual(signer, attestor) ? [{ attestor, signature }] : []
    }),
  )
  return checked.flat()
}

/** The attestors that SmartBalance on a network accepts now. */
interface AttestorSet {
  /** Number of attestors that must agree. */
  readonly threshold: number
  /** The attestors among the given addresses. */
  readonly members: ReadonlySet<Address>
}

/**
 * Reads the attestors from the chain, never from the configuration.
 *
 * @throws NETWORK_UNCONFIRMED, NETWORK_UNAVAILABLE, NETWORK_FAILED
 */
export async function readAttestorSet(
  { network, contract }: BalanceNetwork,
  candidates: readonly Address[],
): Promise<AttestorSet> {
  const head = await network.quorum.head()
  const [[address]] = await multicallAtBlock(network, head, [[readOf(contract, 'verifier', [])]])
  const attestorSet = { address, abi: attestorSetAbi } as const
  const [[threshold], isMember] = await multicallAtBlock(network, head, [
    [readOf(attestorSet, 'threshold', [])],
    candidates.map((candidate) => readOf(attestorSet, 'isAttestor', [candidate])),
  ])
  return {
    threshold: Number(threshold),
    members: new Set(candidates.filter((_, index) => isMember[index])),
  }
}
