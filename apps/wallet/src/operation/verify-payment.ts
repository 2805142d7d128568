import { type Call, decodeCalls, fromWireUserOperation, type UserOperation } from '@lanyard/accounts'
import { isSameCall } from '@lanyard/calls'
import type { TransactionOptions } from '@lanyard/client'
import { decodePaymasterAndData, type OrderPlan, verifyOrderOperation } from '@lanyard/smart-balance'
import { type Address, type Hash, isHex } from 'viem'
import { WalletError } from '../errors/wallet-error.ts'
import { type VerifiedOperation, verifyOperation } from '../passkey/verify-operation.ts'

/** The expected payment. */
export interface ExpectedPayment {
  readonly account: Address
  readonly chainId: number
  readonly smartBalance: Address
  readonly plan: OrderPlan
  /** The person's own calls, which follow those of the order. */
  readonly calls: readonly Call[]
  /** Unix seconds. */
  readonly now: number
}

/** A payment from the combined balance, recomputed on this device. */
export interface VerifiedPayment {
  readonly operation: VerifiedOperation
  readonly plan: OrderPlan
  readonly orderHash: Hash
  /** Unix seconds: the last second in which it can be included. */
  readonly validUntil: number
}

/**
 * Recomputes on this device what the authenticator signs. The order in the operation's paymaster bytes must
 * take exactly the planned debits, there must be no calls besides the order's and the person's own, and the
 * challenge must be the hash of all of that.
 *
 * @throws WalletError ORDER_DIFFERS, and like {@link verifyOperation}
 */
export function verifyPayment(options: TransactionOptions, expected: ExpectedPayment): VerifiedPayment {
  const operation = readOperation(options)
  const { account, chainId, smartBalance, plan, now } = expected
  const order = verifyOrderOperation({
    operation,
    expected: plan,
    chainId,
    smartBalance,
    signer: namedSigner(operation),
    now,
  })
  if (!order.ok) throw differs(order.message)
  const { calls } = expected
  if (order.calls.length !== calls.length || !calls.every((call, at) => isSameCall(order.calls[at], call)))
    throw new WalletError('CALLS_DIFFER')

  const all = decodeCalls(operation.callData)
  if (!all.ok) throw differs(all.message)
  return {
    plan,
    orderHash: order.orderHash,
    validUntil: order.order.validUntil,
    operation: verifyOperation(options, {
      account,
      chainId,
      calls: all.calls,
      paymasterData: operation.paymasterAndData,
    }),
  }
}

function readOperation({ userOp }: TransactionOptions): UserOperation {
  const { paymasterAndData, ...nine } = userOp
  if (!isHex(paymasterAndData)) throw differs('There is no order in it.')
  const read = fromWireUserOperation(nine, { paymasterAndData })
  if (!read.ok) throw differs(read.message)
  return read.operation
}

/**
 * The key that the order names. It needs no check: if another key signs, the order is void, and deposits
 * accept only pinned keys, which this device verified when they were pinned.
 */
function namedSigner({ paymasterAndData }: UserOperation) {
  const decoded = decodePaymasterAndData(paymasterAndData)
  if (!decoded.ok) throw differs(decoded.message)
  return decoded.order.signer
}

const differs = (message: string) => new WalletError('ORDER_DIFFERS', { cause: new TypeError(message) })
