import { type AccountDeployment, type Call, decodeCalls, type UserOperation } from '@lanyard/accounts'
import { type Address, type Hash, isAddressEqual } from 'viem'
import { maxValidity, minimumPostOpGas } from '../constants.ts'
import { checkOrderBounds } from '../order/check-order-bounds.ts'
import { decodePaymasterAndData } from '../order/decode-paymaster-and-data.ts'
import { getOrderHash } from '../order/get-order-hash.ts'
import { isSponsorship } from '../order/is-sponsorship.ts'
import type { Order, OrderSigner } from '../order/order.ts'
import { signerId } from '../order/signer-id.ts'
import type { ExpectedOrder } from './expected-order.ts'
import { type VerifyOrderCallsResult, verifyOrderCalls } from './verify-order-calls.ts'

export interface VerifyOrderOperationParameters {
  readonly operation: UserOperation
  readonly expected: ExpectedOrder
  /** The output network's chain id. */
  readonly chainId: number
  readonly smartBalance: Address
  /** Absent: any. An order for a key other than the one that signs the operation is void. */
  readonly signer?: OrderSigner | undefined
  /** Unix seconds. */
  readonly now: number
  /** Maximum difference between this clock and the service's, in seconds. */
  readonly clockSkew?: number | undefined
  /** Default: the canonical contracts. */
  readonly deployment?: Pick<AccountDeployment, 'multiSendCallOnly'> | undefined
}

export type OrderField =
  | 'paymasterAndData'
  | 'paymaster'
  | 'claimAmount'
  | 'debits'
  | 'failFees'
  | 'signer'
  | 'validUntil'
  | 'paymasterPostOpGasLimit'
  | 'callData'
  | 'withdrawal'
  | 'claim'

export type VerifyOrderOperationResult =
  | {
      readonly ok: true
      readonly order: Order
      readonly orderHash: Hash
      /** The operation's calls after the order's own calls. */
      readonly calls: readonly Call[]
    }
  | { readonly ok: false; readonly field: OrderField; readonly message: string }

/**
 * Checks that an operation contains exactly the expected order, and begins with exactly the order's calls. It
 * does not check the operator's signature, which only the output network can verify, nor the hash that the
 * user signs, which covers all of this.
 */
export function verifyOrderOperation(parameters: VerifyOrderOperationParameters): VerifyOrderOperationResult {
  const { operation, expected, chainId, now, clockSkew = 60, deployment } = parameters
  const decoded = decodePaymasterAndData(operation.paymasterAndData)
  if (!decoded.ok) return mismatch('paymasterAndData', decoded.message)
  const { order } = decoded
  const wrong = verifyOrder(order, parameters) ?? verifyTime(order, now, clockSkew)
  if (wrong) return wrong

  const decodedCalls = decodeCalls(operation.callData, deployment)
  if (!decodedCalls.ok) return mismatch('callData', decodedCalls.message)
  const verified: VerifyOrderCallsResult = verifyOrderCalls(decodedCalls.calls, {
    account: operation.sender,
    nonce: operation.nonce,
    smartBalance: parameters.smartBalance,
    expected,
    // After its deadline the operation would fail, and owe the failFees.
    neededUntil: order.validUntil,
  })
  if (!verified.ok) return verified
  return {
    ok: true,
    order,
    orderHash: getOrderHash({ order, operation, chainId }),
    calls: verified.calls,
  }
}

type Mismatch = Extract<VerifyOrderOperationResult, { ok: false }>

function mismatch(field: OrderField, message: string): Mismatch {
  return { ok: false, field, message }
}

function verifyOrder(
  order: Order,
  { expected, smartBalance, signer }: VerifyOrderOperationParameters,
): Mismatch | undefined {
  if (!isAddressEqual(order.paymaster, smartBalance))
    return mismatch('paymaster', `The order is for ${order.paymaster}, not for ${smartBalance}.`)
  if (order.claimAmount !== expected.claimAmount)
    return mismatch('claimAmount', `The order lends ${order.claimAmount} instead of ${expected.claimAmount}.`)
  const wrong = verifyDebits(order, expected)
  if (wrong) return wrong
  if (signer !== undefined && signerId(order.signer) !== signerId(signer))
    return mismatch('signer', 'The order is for another signer.')
  if (!isSponsorship(order) && order.paymasterPostOpGasLimit < minimumPostOpGas)
    return mismatch(
      'paymasterPostOpGasLimit',
      `The order leaves less than ${minimumPostOpGas} gas for postOp.`,
    )
  const bounds = checkOrderBounds(order)
  return bounds.ok ? undefined : mismatch('debits', bounds.message)
}

function verifyDebits(order: Order, expected: ExpectedOrder): Mismatch | undefined {
  if (order.debits.length !== expected.debits.length)
    return mismatch('debits', `${order.debits.length} debits instead of ${expected.debits.length}.`)
  for (const [index, { chainId, amount, failFee }] of order.debits.entries()) {
    const same = expected.debits[index]
    if (same?.network !== chainId || same.amount !== amount)
      return mismatch('debits', `The order debits ${amount} on ${chainId}, which was not agreed.`)
    if (same.failFee !== undefined && same.failFee !== failFee)
      return mismatch('failFees', `The failFee on ${chainId} is ${failFee} instead of ${same.failFee}.`)
  }
  const failFees = order.debits.reduce((sum, { failFee }) => sum + failFee, 0n)
  return failFees > expected.fee
    ? mismatch('failFees', `A failure would cost ${failFees}, which is more than the fee of ${expected.fee}.`)
    : undefined
}

/** If the validity is too long, `claim` reverts, and the failFees are due. */
function verifyTime({ validUntil }: Order, now: number, clockSkew: number): Mismatch | undefined {
  if (validUntil <= now - clockSkew) return mismatch('validUntil', 'The order has expired.')
  const latest = now + maxValidity + clockSkew
  return validUntil > latest
    ? mismatch('validUntil', `The order is valid until ${validUntil}, after ${latest}.`)
    : undefined
}
