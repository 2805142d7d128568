import type { SignedUserOperation } from '@lanyard/accounts'
import type { Network } from '@lanyard/networks'
import type { Address } from 'viem'
import { encodeHandleOps } from './handle-ops.ts'
import { type HandleOpsFailure, readHandleOpsFailure } from './handle-ops-failure.ts'
import { revertDataOf } from './revert-data.ts'

export interface HandleOpsSimulation {
  readonly network: Network
  readonly entryPoint: Address
  readonly operations: readonly SignedUserOperation[]
  /** Sender of the transaction and beneficiary of the fees. */
  readonly relayer: Address
  /** Gas limit of the transaction. */
  readonly gas: bigint
}

/**
 * Runs the real `handleOps` by one eth_call at the head of the chain, exactly as the relayer would send it.
 *
 * @returns undefined when every operation passes validation (a call of theirs may still revert: that is included).
 */
export async function simulateHandleOps({
  network,
  entryPoint,
  operations,
  relayer,
  gas,
}: HandleOpsSimulation): Promise<HandleOpsFailure | undefined> {
  return await network.call(async (client) => {
    try {
      await client.call({
        account: relayer,
        to: entryPoint,
        data: encodeHandleOps(operations, relayer),
        gas,
        blockTag: 'latest',
      })
      return undefined
    } catch (error) {
      const data = revertDataOf(error)
      if (data === undefined) throw error
      return readHandleOpsFailure(data)
    }
  })
}
