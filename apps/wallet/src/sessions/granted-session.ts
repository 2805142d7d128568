import type { EndpointOutput, endpoints } from '@lanyard/contracts'
import type { Session as SessionLimits } from '@lanyard/session-keys'
import { type Hex, zeroAddress } from 'viem'

/** A session as it stands on a network. */
export interface GrantedSession {
  readonly chainId: number
  readonly keyId: Hex
  readonly state: ListedSession['state']
  readonly session: SessionLimits
  readonly operationsLeft: number
  /** What is left of each allowance in its present period, in the sequence of `session.allowances`. */
  readonly left: readonly bigint[]
}

export type ListedSession = EndpointOutput<typeof endpoints.sessionKey.list>['sessions'][number]

/** What the service read from the chain, in the terms of the contract; its words for it are not taken over. */
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
  }
}
