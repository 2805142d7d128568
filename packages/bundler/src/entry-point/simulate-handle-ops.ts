import type { SignedUserOperation } from '@lanyard/accounts'
import type { Network } from '@lanyard/networks'
import { type Address, BaseError } from 'viem'
import type { TransactionFees } from '../sender/transaction-fees.ts'
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
  /** Of the transaction. Without them the operations see a gas price of 0. */
  readonly fees: TransactionFees | undefined
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
  fees,
}: HandleOpsSimulation): Promise<HandleOpsFailure | undefined> {
  const transaction = { account: relayer, to: entryPoint, data: encodeHandleOps(operations, relayer), gas }
  return await network.call(async (client) => {
    const simulate = async (offered: TransactionFees | undefined) => {
      try {
        await client.call({ ...transaction, ...offered, blockTag: 'latest' })
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
      // With fees a node also asks whether the relayer can pay them, and whether they reach the base fee: it is for the
      // sending to say so, and of the operations this says nothing.
      if (!isAnswer(error)) throw error
      return await simulate(undefined)
    }
  })
}

/** Whether a node said it, rather than that none answered. */
const isAnswer = (error: unknown) =>
  error instanceof BaseError &&
  error.walk((inner) => inner instanceof Error && 'code' in inner && typeof inner.code === 'number') !== null
