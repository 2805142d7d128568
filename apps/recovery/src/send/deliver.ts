import { packUserOperation, type SignedUserOperation, unpackUserOperation } from '@lanyard/accounts'
import { encodeFunctionData, type Hash, http, parseEventLogs } from 'viem'
import { createBundlerClient, entryPoint07Abi, estimateUserOperationGas } from 'viem/account-abstraction'
import type { Connection } from '../connect.ts'
import type { RecoveryKit } from '../kit/recovery-kit.ts'
import type { Payer } from '../payer/payer.ts'
import { describeError, RecoveryError } from '../recovery-error.ts'
import { sendAndWait } from './send-transaction.ts'

export interface GasLimits {
  readonly verificationGasLimit: bigint
  readonly callGasLimit: bigint
  readonly preVerificationGas: bigint
}

/** Sends a user operation to EntryPoint. */
export interface Carrier {
  /** Accepts a stub signature. Undefined if this carrier cannot simulate. */
  readonly estimate?: (operation: SignedUserOperation) => Promise<GasLimits>
  /** Resolves to the transaction's hash. */
  readonly deliver: (operation: SignedUserOperation) => Promise<Hash>
}

/** Sends through any bundler that implements ERC-7769. */
export function bundlerCarrier(
  bundlerUrl: string,
  { chain }: Connection,
  { deployment }: RecoveryKit,
): Carrier {
  const bundler = createBundlerClient({ chain, transport: http(bundlerUrl), pollingInterval: 500 })
  const entryPointAddress = deployment.entryPoint
  const rejected = (cause: unknown): never => {
    throw new RecoveryError('FAILED', `The bundler rejects the operation: ${describeError(cause)}`, { cause })
  }
  return {
    estimate: async (operation) => {
      const request = { ...unpackUserOperation(operation), entryPointAddress }
      return estimateUserOperationGas(bundler, request).catch(rejected)
    },
    deliver: async (operation) => {
      const request = { ...unpackUserOperation(operation), entryPointAddress }
      const hash = await bundler.sendUserOperation(request).catch(rejected)
      const { success, receipt } = await bundler.waitForUserOperationReceipt({ hash })
      if (success) return receipt.transactionHash
      throw new RecoveryError('FAILED', `The operation ${hash} was included and reverted.`)
    },
  }
}

/** Calls `EntryPoint.handleOps` with the payer's key. The account's fee goes to the payer. */
export function selfCarrier(payer: Payer, connection: Connection, { deployment }: RecoveryKit): Carrier {
  return {
    deliver: async (operation) => {
      const data = encodeFunctionData({
        abi: entryPoint07Abi,
        functionName: 'handleOps',
        args: [[packUserOperation(operation)], payer.address],
      })
      // A gas estimate would be too low, since EntryPoint catches an inner call that runs out of gas.
      const gas =
        operation.verificationGasLimit + operation.callGasLimit + operation.preVerificationGas + 200_000n
      const hash = await sendAndWait(connection, payer, { to: deployment.entryPoint, data, gas })
      const { logs } = await connection.client.getTransactionReceipt({ hash })
      const [event] = parseEventLogs({ abi: entryPoint07Abi, eventName: 'UserOperationEvent', logs })
      if (event?.args.success) return hash
      throw new RecoveryError('FAILED', `The operation in ${hash} reverted.`)
    },
  }
}
