import type { SignedUserOperation } from '@lanyard/accounts'
import type { Network } from '@lanyard/networks'
import type { Address } from 'viem'
import { codeOfSenders } from '../eip7702/authorization.ts'
import type { TransactionFees } from '../sender/transaction-fees.ts'
import { encodeHandleOps, entryPointOf } from './entry-point.ts'
import { type HandleOpsFailure, readHandleOpsFailure } from './handle-ops-failure.ts'
import { isAnswer, revertDataOf } from './revert-data.ts'

export interface HandleOpsSimulation {
  readonly network: Network
  /** For one EntryPoint. Senders with an authorisation are delegated during the simulation. */
  readonly operations: readonly SignedUserOperation[]
  /** Sender of the transaction and beneficiary of the fees. */
  readonly relayer: Address
  /** Gas limit of the transaction. */
  readonly gas: bigint
  /** Fees of the transaction. Without them the operations see a gas price of 0. */
  readonly fees: TransactionFees | undefined
  /** A block of the past. Default: the head. */
  readonly blockNumber?: bigint
}

/**
 * Runs the real `handleOps` by one eth_call at the head of the chain, exactly as the relayer would send it.
 *
 * @returns undefined if every operation passes validation (an operation whose call reverts is still
 * included).
 */
export async function simulateHandleOps({
  network,
  operations,
  relayer,
  gas,
  fees,
  blockNumber,
}: HandleOpsSimulation): Promise<HandleOpsFailure | undefined> {
  const [first] = operations
  const transaction = {
    ...{ account: relayer, data: encodeHandleOps(operations, relayer), gas },
    to: entryPointOf(network, first ?? {}),
    ...codeOfSenders(operations),
  }
  return await network.call(async (client) => {
    const simulate = async (offered: TransactionFees | undefined) => {
      try {
        const block = blockNumber === undefined ? { blockTag: 'latest' as const } : { blockNumber }
        await client.call({ ...transaction, ...offered, ...block })
        return undefined
      } catch (error) {
        const data = revertDataOf(error)
        if (data === undefined) throw error
        return readHandleOpsFailure(data)
      }
    }
    if (!fees) return await simulate(undefined)
    try {
      return await simulate(fees)
    } catch (error) {
      // With fees, a node also checks that the relayer can pay and that the fees reach the base fee. Those
      // errors say nothing about the operations and are handled when the transaction is sent.
      if (!isAnswer(error)) throw error
      return await simulate(undefined)
    }
  })
}
