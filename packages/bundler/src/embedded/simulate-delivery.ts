import type { ForeignPart, SignedUserOperation } from '@lanyard/accounts'
import { batched } from '@lanyard/database'
import type { Network } from '@lanyard/networks'
import type { Address } from 'viem'
import { bundleGasLimit, maxTransactionGas } from '../bundle-gas.ts'
import { type Delegation, readDelegations } from '../eip7702/delegations.ts'
import { entryPointOf } from '../entry-point/entry-point.ts'
import type { HandleOpsFailure } from '../entry-point/handle-ops-failure.ts'
import { simulateHandleOps } from '../entry-point/simulate-handle-ops.ts'
import type { EmbeddedContext } from './context.ts'
import { offered } from './plan-bundles.ts'
import type { PassedAlone } from './recent-simulations.ts'

export interface DeliverySimulation {
  /** Why the operation does not pass `handleOps` at the head of the chain; undefined when it does. */
  readonly failure: HandleOpsFailure | undefined
  /** What the service does not know about its sender. */
  readonly external: ForeignPart | undefined
  /** Of an operation of a delegated EOA: whether it is delegated. */
  readonly delegation: Delegation | undefined
  /** Undefined: it failed, or others were simulated before it in the same call. */
  readonly passedAlone: PassedAlone | undefined
}

export type SimulateDelivery = (operation: SignedUserOperation) => Promise<DeliverySimulation>

/** Maximum number of operations in one simulation. */
const maxItems = 16

/** Maximum number of concurrent simulations, so that a slow one delays few others. */
const maxRuns = 4

type Outcome = PromiseSettledResult<DeliverySimulation>

/**
 * Simulates operations that are delivered concurrently as one bundle. If that fails, each is simulated alone,
 * so that each caller gets the reason for its own operation. Their senders are read too. A bundle is simulated again before it is
 * sent, unless a moment ago it was simulated as it is (`recent-simulations.ts`).
 */
export function createDeliverySimulation(
  network: Network,
  { relayer, rememberedSenders }: Pick<EmbeddedContext, 'rememberedSenders'> & { readonly relayer: Address },
): SimulateDelivery {
  const simulate = (operations: readonly SignedUserOperation[]) =>
    simulateHandleOps({
      ...{ network, relayer, operations },
      gas: bundleGasLimit(operations, network.config.l1Fee),
      // A guess that costs no request: the bundle is simulated with current fees before it is sent.
      fees: network.lastFees && offered(operations, network.lastFees),
    })
  const canShare = (operations: readonly SignedUserOperation[]) =>
    operations.length > 1 &&
    new Set(operations.map((one) => entryPointOf(network, one).toLowerCase())).size === 1 &&
    new Set(operations.map(({ sender }) => sender.toLowerCase())).size === operations.length &&
    bundleGasLimit(operations, network.config.l1Fee) <= maxTransactionGas

  const simulateAll = async (
    operations: readonly SignedUserOperation[],
  ): Promise<PromiseSettledResult<HandleOpsFailure | undefined>[]> => {
    if (canShare(operations)) {
      const [together] = await Promise.allSettled([simulate(operations)])
      // Without a response from the node there is no result for any of them.
      if (together.status === 'rejected' || !together.value) return operations.map(() => together)
    }
    return await Promise.allSettled(operations.map((operation) => simulate([operation])))
  }
  const deliverAll = batched(
    async (operations: readonly SignedUserOperation[]): Promise<Outcome[]> => {
      const at = performance.now()
      const [outcomes, external, delegations] = await Promise.all([
        simulateAll(operations),
        rememberedSenders.read(operations),
        readDelegations(network, operations),
      ])
      return outcomes.map((outcome, index) => {
        if (outcome.status === 'rejected') return outcome
        const sender = operations[index]?.sender.toLowerCase() ?? ''
        return {
          status: 'fulfilled',
          value: {
            failure: outcome.value,
            external: external.get(sender),
            delegation: delegations.get(sender),
            passedAlone: operations.length === 1 && !outcome.value ? { relayer, at } : undefined,
          },
        }
      })
    },
    { maxItems, maxRuns },
  )
  return async (operation) => {
    const outcome = await deliverAll(operation)
    if (outcome.status === 'rejected') throw outcome.reason
    return outcome.value
  }
}
