import type { TypedDataDefinition } from 'viem'
import type { SafeTransaction, SafeTransactionContext } from './safe-transaction.ts'

/** `SafeTx` of Safe 1.4.1 (SAFE_TX_TYPEHASH). */
const safeTransactionTypes = {
  SafeTx: [
    { name: 'to', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'data', type: 'bytes' },
    { name: 'operation', type: 'uint8' },
    { name: 'safeTxGas', type: 'uint256' },
    { name: 'baseGas', type: 'uint256' },
    { name: 'gasPrice', type: 'uint256' },
    { name: 'gasToken', type: 'address' },
    { name: 'refundReceiver', type: 'address' },
    { name: 'nonce', type: 'uint256' },
  ],
} as const

/**
 * The EIP-712 message that an owner signs to authorise `transaction`; give it to a wallet's `signTypedData`.
 */
export function safeTransactionTypedData(
  transaction: SafeTransaction,
  { chainId, account }: SafeTransactionContext,
): TypedDataDefinition<typeof safeTransactionTypes, 'SafeTx'> {
  return {
    domain: { chainId, verifyingContract: account },
    types: safeTransactionTypes,
    primaryType: 'SafeTx',
    message: { ...transaction },
  }
}
