import type { EndpointOutput, endpoints } from '@lanyard/contracts'
import type { Hex } from 'viem'
import { t } from '../i18n/t.ts'

/** The status of a payment from the combined balance, as the service tracks it. */
export type Order = EndpointOutput<typeof endpoints.smartBalance.order>

/**
 * - `waiting`: not started yet
 * - `active`: in progress
 * - `done`: complete for the person
 * - `skipped`: no longer needed
 * - `failed`
 */
export type LegState = 'waiting' | 'active' | 'done' | 'skipped' | 'failed'

/** One step of a payment. */
export interface Leg {
  readonly kind: 'arrival' | 'attestation' | 'debit'
  readonly state: LegState
  /** A short description. */
  readonly text: string
  /** Absent for a step that is not on a network. */
  readonly chainId?: number
  readonly txnHash?: Hex | undefined
  /** The amount debited there, in units of 6 decimals. */
  readonly amount?: bigint
}

/** The steps of a payment in order: it arrives, it is attested, and each deposit is debited. */
export function legsOf(order: Pick<Order, 'state' | 'outputNetwork' | 'txnHash' | 'debits'>): readonly Leg[] {
  const debits = order.debits.map((debit) => debitLeg(debit, order.state))
  const arrival: Leg = {
    kind: 'arrival',
    ...arrivals[order.state],
    chainId: order.outputNetwork,
    txnHash: order.txnHash,
  }
  if (debits.length === 0) return [arrival]
  return [arrival, { kind: 'attestation', ...attestations[order.state] }, ...debits]
}

type Step = Pick<Leg, 'state' | 'text'>

const arrived: Step = { state: 'done', text: t('Arrived') }
const arrivals: Readonly<Record<Order['state'], Step>> = {
  RESERVED: { state: 'waiting', text: t('Waits for your signature') },
  SUBMITTED: { state: 'active', text: t('Pending') },
  CLAIMED: arrived,
  ATTESTED: arrived,
  SETTLED: arrived,
  FAILED: { state: 'failed', text: t('Failed on the network; only the network fee is due') },
  EXPIRED: { state: 'failed', text: t('Expired; nothing moved') },
}

const attesting: Step = { state: 'active', text: t('Waits until it is final, to be confirmed') }
const attested: Step = { state: 'done', text: t('Confirmed') }
const attestations: Readonly<Record<Order['state'], Step>> = {
  RESERVED: { state: 'waiting', text: t('Confirmed once it is final') },
  SUBMITTED: { state: 'waiting', text: t('Confirmed once it is final') },
  CLAIMED: attesting,
  FAILED: attesting,
  ATTESTED: attested,
  SETTLED: attested,
  EXPIRED: { state: 'skipped', text: t('Nothing to confirm') },
}

type OrderDebit = Order['debits'][number]

function debitLeg({ network, amount, state, txnHash }: OrderDebit, order: Order['state']): Leg {
  const leg = { kind: 'debit', chainId: network, txnHash, amount: BigInt(amount) } as const
  switch (state) {
    case 'RESERVED':
      return order === 'EXPIRED'
        ? { ...leg, state: 'skipped', text: t('Not taken') }
        : { ...leg, state: 'waiting', text: t('Reserved') }
    case 'DUE':
      return { ...leg, state: 'active', text: t('Collecting') }
    case 'SETTLED':
      return { ...leg, state: 'done', text: t('Collected') }
    case 'PARTIAL':
      return { ...leg, state: 'active', text: t('Collected in part; the rest was not there') }
    case 'LOST':
      return { ...leg, state: 'skipped', text: t('Not taken; it was not there in time') }
    case 'RELEASED':
      return { ...leg, state: 'skipped', text: t('Not taken') }
  }
}

/** Whether the order can no longer change. */
export const isFinished = ({ state, debits }: Pick<Order, 'state' | 'debits'>): boolean =>
  state === 'SETTLED' ||
  state === 'EXPIRED' ||
  (debits.length > 0 ? areOver(debits) : state === 'CLAIMED' || state === 'FAILED')

/** Whether its debits are being collected. Events report only the last of them. */
export const isCollecting = (order: Pick<Order, 'state' | 'debits'>): boolean =>
  order.state === 'ATTESTED' && !isFinished(order)

const areOver = (debits: readonly Pick<OrderDebit, 'state'>[]) =>
  debits.every(({ state }) => state === 'SETTLED' || state === 'LOST' || state === 'RELEASED')

/** A payment's state as the person sees it: settled once no further deposit can be debited. */
export const stateOfOrder = ({ state, debits }: Pick<Order, 'state' | 'debits'>): Order['state'] =>
  (state === 'CLAIMED' || state === 'ATTESTED') && debits.length > 0 && areOver(debits) ? 'SETTLED' : state

/** A payment's state in a word or two. */
export function orderLabel(order: Pick<Order, 'state' | 'debits'>): {
  readonly label: string
  readonly tone: 'neutral' | 'good' | 'waiting' | 'bad'
} {
  switch (stateOfOrder(order)) {
    case 'RESERVED':
      return { label: t('Not signed'), tone: 'neutral' }
    case 'SUBMITTED':
      return { label: t('Pending'), tone: 'waiting' }
    case 'CLAIMED':
    case 'ATTESTED':
      return { label: t('Arrived'), tone: 'good' }
    case 'SETTLED':
      return { label: t('Settled'), tone: 'good' }
    case 'FAILED':
      return { label: t('Failed'), tone: 'bad' }
    case 'EXPIRED':
      return { label: t('Expired'), tone: 'neutral' }
  }
}
