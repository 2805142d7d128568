import { type Address, type Hex, zeroAddress } from 'viem'
import type { Call } from '../../call.ts'
import { encodeMultiSend, operationCode } from '../calls/encode-multi-send.ts'
import { type AccountDeployment, safeDeployment } from '../deployment/deployment.ts'

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
  { multiSendCallOnly }: Pick<AccountDeployment, 'multiSendCallOnly'> = safeDeployment,
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
