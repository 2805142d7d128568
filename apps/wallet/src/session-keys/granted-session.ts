import type { EndpointOutput, endpoints } from '@lanyard/contracts'
import {
  type SessionAction,
  type Session as SessionLimits,
  type SessionWarning,
  sessionWarnings,
} from '@lanyard/session-keys'
import { type Address, type Hex, zeroAddress } from 'viem'

/** The current state of a session on a network. */
export interface GrantedSession {
  readonly chainId: number
  readonly keyId: Hex
  readonly state: ListedSession['state']
  readonly session: SessionLimits
  readonly operationsLeft: number
  /** The remainder of each allowance in the current period, in the order of `session.allowances`. */
  readonly left: readonly bigint[]
  /** When each allowance is whole again, in Unix seconds. Undefined: not before the session ends. */
  readonly resets: readonly (number | undefined)[]
  /** Who may receive each allowance. Undefined: anyone. */
  readonly recipients: readonly (readonly Address[] | undefined)[]
}

/** Whether an app may take something again and again: every day, week or month. */
export const isSubscription = ({ session }: Pick<GrantedSession, 'session'>): boolean =>
  session.allowances.some(({ period }) => period > 0)

/**
 * The warnings about what a key did. An allowance for named recipients is meant to be taken whole, as a subscription or
 * an agent's purse does, so only the others count as emptied.
 */
export const warningsOf = (
  { session, recipients }: Pick<GrantedSession, 'session' | 'recipients'>,
  actions: readonly SessionAction[],
): readonly SessionWarning[] =>
  sessionWarnings(
    { allowances: session.allowances.filter((_allowance, index) => recipients[index] === undefined) },
    actions,
  )

export type ListedSession = EndpointOutput<typeof endpoints.sessionKey.list>['sessions'][number]

/** Converts the service's data to the contract's terms. The service's own descriptions are not used. */
export function toGrantedSession({
  network,
  keyId,
  state,
  operationsLeft,
  ...listed
}: ListedSession): GrantedSession {
  const { validAfter, validUntil, maxOperations, feePerOperation, paymaster, rules, allowances } = listed
  return {
    chainId: network,
    keyId,
    state,
    operationsLeft,
    session: {
      validAfter,
      validUntil,
      maxOperations,
      feePerOperation: BigInt(feePerOperation),
      paymaster: paymaster ?? zeroAddress,
      rules: rules.map(({ kind, target, selector, counterparty, maxValue }) => ({
        kind,
        target: target ?? zeroAddress,
        selector: selector ?? '0x00000000',
        counterparty: counterparty ?? zeroAddress,
        maxValue: BigInt(maxValue),
      })),
      allowances: allowances.map(({ token, period, amount }) => ({
        token: token ?? zeroAddress,
        period,
        amount: BigInt(amount),
      })),
    },
    left: allowances.map(({ left }) => BigInt(left)),
    resets: allowances.map(({ resetsAt }) => resetsAt),
    recipients: allowances.map(({ to }) => to),
  }
}
