import { safeAbi } from '@lanyard/onchain'
import { encodeFunctionData, type Hex } from 'viem'
import type { SafeTransaction } from './safe-transaction.ts'

/**
 * The call data of `Safe.execTransaction`. The nonce is not an argument: the Safe uses its own, which is part
 * of what was signed.
 *
 * @param signatures the result of `recoverOwnerSignature` or `encodeWebAuthnSignature`, of one owner: the
 * threshold is 1
 */
export function encodeExecTransaction(transaction: SafeTransaction, signatures: Hex): Hex {
  const { to, value, data, operation, safeTxGas, baseGas, gasPrice, gasToken, refundReceiver } = transaction
  return encodeFunctionData({
    abi: safeAbi,
    functionName: 'execTransaction',
    args: [to, value, data, operation, safeTxGas, baseGas, gasPrice, gasToken, refundReceiver, signatures],
  })
}
