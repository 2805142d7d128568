import { safeAbi } from '@lanyard/onchain'
import {
  type Address,
  decodeFunctionData,
  encodeFunctionData,
  type Hash,
  type Hex,
  hashTypedData,
  hexToBigInt,
  size,
  slice,
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

const bytesOfSignature = 65

/**
 * Whether an account could count the sender of this call data, an owner, as one of its signers. A Safe does so for a
 * signature of the form "approved hash", which anyone can write down. Also true of call data in any other form than
 * `encodeExecTransaction` writes: a contract may read that differently.
 */
export function countsSender(execTransaction: Hex, sender: Address): boolean {
  const signatures = readSignatures(execTransaction)
  if (signatures === undefined) return true
  // A Safe reads as many as its threshold, which only the chain knows, and no further than where a contract's bytes begin.
  let end = size(signatures)
  for (let at = 0; at < end; at += bytesOfSignature) {
    if (at + bytesOfSignature > end) return true
    const kind = Number(slice(signatures, at + 64, at + 65))
    if (![0, 27, 28, 31, 32].includes(kind)) return true
    if (kind !== 0) continue // ECDSA: the signer follows from the signature
    if (hexToBigInt(slice(signatures, at, at + 32)) === hexToBigInt(sender)) return true
    const offset = hexToBigInt(slice(signatures, at + 32, at + 64))
    if (offset < at + bytesOfSignature) return true
    if (offset < end) end = Number(offset)
  }
  return end === 0
}

/** The signatures in call data that has no other reading. */
function readSignatures(execTransaction: Hex): Hex | undefined {
  try {
    const { functionName, args } = decodeFunctionData({ abi: safeAbi, data: execTransaction })
    if (functionName !== 'execTransaction') return undefined
    const isOnlyForm =
      encodeFunctionData({ abi: safeAbi, functionName, args }) === execTransaction.toLowerCase()
    return isOnlyForm ? args[9] : undefined
  } catch {
    return undefined // it cannot be decoded
  }
}
