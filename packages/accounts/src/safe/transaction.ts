import { safeAbi } from '@lanyard/onchain'
import {
  type Address,
  encodeFunctionData,
  type Hash,
  type Hex,
  hashTypedData,
  type TypedDataDefinition,
  zeroAddress,
} from 'viem'
import type { Call } from '../call.ts'
import { encodeMultiSend, operationCode } from './calls.ts'
import { type AccountDeployment, defaultDeployment } from './deployment.ts'

/** The arguments of `Safe.execTransaction` (Safe 1.4.1) before its signatures. */
export interface SafeTransaction {
  readonly to: Address
  /** Wei. */
  readonly value: bigint
  readonly data: Hex
  /** Safe's `Enum.Operation`. */
  readonly operation: 0 | 1
  /** 0, and gasPrice is 0 as well: a call that fails reverts the whole transaction. */
  readonly safeTxGas: bigint
  readonly baseGas: bigint
  /** 0: the account does not refund the sender of the transaction. */
  readonly gasPrice: bigint
  readonly gasToken: Address
  readonly refundReceiver: Address
  /** The account's own counter, `Safe.nonce()`, not EntryPoint's. */
  readonly nonce: bigint
}

/** The inputs of a SafeTx hash other than the transaction. */
export interface SafeTransactionContext {
  readonly chainId: number
  readonly account: Address
}

/**
 * Calls that the account makes in order, all or none, as a transaction that anyone may send. It involves
 * neither EntryPoint nor a bundler, and the sender pays for its gas.
 */
export function toSafeTransaction(
  calls: readonly Call[],
  nonce: bigint,
  { multiSendCallOnly }: Pick<AccountDeployment, 'multiSendCallOnly'> = defaultDeployment,
): SafeTransaction {
  const unpaid = {
    safeTxGas: 0n,
    baseGas: 0n,
    gasPrice: 0n,
    gasToken: zeroAddress,
    refundReceiver: zeroAddress,
  }
  const [first, ...rest] = calls
  if (first !== undefined && rest.length === 0)
    return { ...first, operation: operationCode.call, ...unpaid, nonce }
  const data = encodeMultiSend(calls.map((call) => ({ ...call, operation: 'call' })))
  return { to: multiSendCallOnly, value: 0n, data, operation: operationCode.delegatecall, ...unpaid, nonce }
}

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

/**
 * The 32 bytes that an owner signs for a transaction: `Safe.getTransactionHash`. A passkey signs it as the
 * challenge.
 */
export function getSafeTransactionHash(transaction: SafeTransaction, context: SafeTransactionContext): Hash {
  return hashTypedData(safeTransactionTypedData(transaction, context))
}

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
