import { attestorSetAbi, smartBalanceAbi } from '@lanyard/onchain'
import { type Address, type GetLogsReturnType, isAddressEqual, zeroAddress } from 'viem'
import {
  alarmingGovernance,
  type GovernanceEvent,
  governanceEvents,
} from '../../../platform/metrics/label-values.ts'

export const watchedEvents = [...smartBalanceAbi, ...attestorSetAbi].filter(
  (item) => item.type === 'event' && governanceEvents.some((name) => name === item.name),
) as readonly Extract<
  (typeof smartBalanceAbi | typeof attestorSetAbi)[number],
  { readonly type: 'event'; readonly name: GovernanceEvent }
>[] // filtered by these names

export type GovernanceLog = GetLogsReturnType<undefined, typeof watchedEvents, true, bigint, bigint>[number]

/** What a proposal of the same changes nothing: that is how one is withdrawn. */
export interface InForce {
  readonly verifier: Address
  /** Undefined if no threshold was proposed. */
  readonly threshold: bigint | undefined
}

/** What a log means for alarms. Both are possible: an applied proposal ends its alarm and is one of its own. */
export interface GovernanceChange {
  /** The topic whose alarms end with it. */
  readonly ends?: string
  /** An empty topic: it has happened, and nothing ends it but time. */
  readonly alarm?: { readonly topic: string; readonly endsAt: Date }
}

/** Milliseconds. */
const day = 24 * 60 * 60_000

/** Milliseconds from the time at which a proposal can be applied until it lapses: PROPOSAL_LIFETIME of the contracts. */
const proposalLifetime = 7 * day

/** Milliseconds until an offer of the ownership, which does not lapse, is no news any more. */
const offerLifetime = 30 * day

/** A proposal is an alarm until it is applied, withdrawn or lapses; what has happened is one for a day. */
export function readGovernanceLog(log: GovernanceLog, inForce: InForce, now: Date): GovernanceChange {
  const after = (milliseconds: number) => new Date(now.getTime() + milliseconds)
  const propose = (topic: string, endsAt: Date, isWithdrawal: boolean): GovernanceChange =>
    isWithdrawal ? { ends: topic } : { alarm: { topic, endsAt } }
  const lapse = (readyAt: number) => new Date(readyAt * 1000 + proposalLifetime)
  const happened = alarmingGovernance.some((name) => name === log.eventName)
    ? { alarm: { topic: '', endsAt: after(day) } }
    : {}
  switch (log.eventName) {
    case 'VerifierProposed': {
      const { verifier, readyAt } = log.args
      const isWithdrawal = [zeroAddress, inForce.verifier].some((one) => isAddressEqual(one, verifier))
      return propose('verifier', lapse(readyAt), isWithdrawal)
    }
    case 'ThresholdProposed':
      return propose('threshold', lapse(log.args.readyAt), log.args.threshold === inForce.threshold)
    case 'AttestorProposed':
      return propose(`attestor:${log.args.attestor}`, lapse(log.args.readyAt), false)
    case 'OwnershipTransferStarted': {
      const { previousOwner, newOwner } = log.args
      const isWithdrawal = [zeroAddress, previousOwner].some((one) => isAddressEqual(one, newOwner))
      return propose(`owner:${log.address}`, after(offerLifetime), isWithdrawal)
    }
    case 'VerifierSet':
      return { ...happened, ends: 'verifier' }
    case 'ThresholdSet':
      return { ...happened, ends: 'threshold' }
    case 'AttestorAdded':
    case 'AttestorRemoved':
      return { ...happened, ends: `attestor:${log.args.attestor}` }
    case 'OwnershipTransferred':
      return { ...happened, ends: `owner:${log.address}` }
    default:
      return happened
  }
}
