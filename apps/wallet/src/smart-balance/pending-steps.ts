import type { Address } from 'viem'
import { callContext, describeCall } from '../calls/describe-call.ts'
import type { SmartBalanceCall } from '../calls/describe-smart-balance-call.ts'
import { toCall } from '../calls/to-call.ts'
import type { Network } from '../networks/use-networks.ts'
import type { Activity } from '../operation/use-activity.ts'

/** A change of a deposit that counts only once it is final on its network. */
export interface PendingStep {
  readonly userOpHash: string
  readonly network: Network
  readonly call: Extract<
    SmartBalanceCall,
    { kind: 'deposit' | 'request-exit' | 'cancel-exit' | 'finalize-exit' }
  >
}

/** Steps of the account's deposits and exits that are included but not final. */
export function pendingSteps(
  activity: readonly Pick<Activity, 'userOpHash' | 'network' | 'state' | 'success' | 'final' | 'calls'>[],
  networks: readonly Network[],
  account: Address,
): readonly PendingStep[] {
  return activity.flatMap(({ userOpHash, network: name, state, success, final, calls }) => {
    const network = networks.find(({ chainId }) => String(chainId) === name)
    if (!network || state !== 'included' || success === false || final) return []
    return calls.flatMap((detail): PendingStep[] => {
      const call = describeCall(toCall(detail), callContext(account, network))
      switch (call.kind) {
        case 'deposit':
        case 'request-exit':
        case 'cancel-exit':
        case 'finalize-exit':
          return [{ userOpHash, network, call }]
        default:
          return []
      }
    })
  })
}
