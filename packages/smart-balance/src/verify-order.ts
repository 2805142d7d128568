import { type AccountDeployment, type Call, decodeCalls, type UserOperation } from '@lanyard/accounts'
import { smartBalanceAbi } from '@lanyard/onchain'
import { type Address, decodeFunctionData, type Hash, isAddressEqual } from 'viem'
import { type CosignedWithdrawal, encodeClaim, encodeWithdraw } from './calls.ts'
import { maxValidity, minimumPostOpGas } from './constants.ts'
import { decodePaymasterAndData } from './order/decode-paymaster-and-data.ts'
import { checkOrderBounds, isSponsorship, type Order, type OrderSigner } from './order/order.ts'
import { getOrderHash, signerId } from './order/order-hash.ts'

/** The expected contents of an order: a plan, or a service's response about one. */
export interface ExpectedOrder {
  readonly claimAmount: bigint
  readonly withdrawal: { readonly amount: bigint; readonly fee: bigint }
  /** With `failFee` if it is known; otherwise the sum of all failFees may be at most `fee`. */
  readonly debits: readonly {
    readonly network: number
    readonly amount: bigint
    readonly failFee?: bigint | undefined
  }[]
  readonly fee: bigint
}

export interface VerifyOrderCallsParameters {
  /** The account whose deposit is withdrawn, and the recipient. */
  readonly account: Address
  /** The whole nonce of the operation. */
  readonly nonce: bigint
  readonly smartBalance: Address
  readonly expected: Omit<ExpectedOrder, 'fee'>
  /** Unix seconds: the withdrawal's deadline must not be earlier. */
  readonly neededUntil: number
}

export type VerifyOrderCallsResult =
  | {
      readonly ok: true
      readonly withdrawal: CosignedWithdrawal | undefined
      /** The calls after the order's own calls. */
      readonly calls: readonly Call[]
    }
  | { readonly ok: false; readonly field: 'withdrawal' | 'claim'; readonly message: string }

/**
 * Checks that calls begin with exactly those that an order needs: the withdrawal to the account itself if its
 * own deposit is used, and the claim with the operation's nonce unless the order is a sponsorship.
 */
export function verifyOrderCalls(
  calls: readonly Call[],
  parameters: VerifyOrderCallsParameters,
): VerifyOrderCallsResult {
  const { expected, smartBalance, nonce } = parameters
  const rest = [...calls]
  let withdrawal: CosignedWithdrawal | undefined
  if (expected.withdrawal.amount + expected.withdrawal.fee > 0n) {
    withdrawal = readWithdrawal(rest.shift(), smartBalance)
    const wrong = withdrawal
      ? withdrawalProblem(withdrawal, parameters)
      : 'The calls do not begin with the withdrawal.'
    if (wrong !== undefined || withdrawal === undefined)
      return { ok: false, field: 'withdrawal', message: wrong ?? 'There is no withdrawal.' }
  }
  if (!isSponsorship(expected) && !isSameCall(rest.shift(), encodeClaim(smartBalance, nonce)))
    return { ok: false, field: 'claim', message: `The calls do not claim with the nonce ${nonce}.` }
  return { ok: true, withdrawal, calls: rest }
}

function withdrawalProblem(
  withdrawal: CosignedWithdrawal,
  { account, expected, neededUntil }: VerifyOrderCallsParameters,
): string | undefined {
  const { amount, fee } = expected.withdrawal
  if (!isAddressEqual(withdrawal.to, account)) return `The withdrawal goes to ${withdrawal.to}.`
  if (withdrawal.amount !== amount) return `The withdrawal is ${withdrawal.amount} instead of ${amount}.`
  if (withdrawal.fee !== fee) return `The withdrawal's fee is ${withdrawal.fee} instead of ${fee}.`
  return withdrawal.deadline < neededUntil
    ? `The withdrawal can be used until ${withdrawal.deadline}, not until ${neededUntil}.`
    : undefined
}

/** Undefined unless it is, byte for byte, a call of `withdraw`. */
function readWithdrawal(call: Call | undefined, smartBalance: Address): CosignedWithdrawal | undefined {
  if (call === undefined) return undefined
  try {
    const { functionName, args } = decodeFunctionData({ abi: smartBalanceAbi, data: call.data })
    if (functionName !== 'withdraw') return undefined
    const [to, amount, fee, salt, deadline, signature] = args
    const withdrawal = { to, amount, fee, salt, deadline, signature }
    return isSameCall(call, encodeWithdraw(smartBalance, withdrawal)) ? withdrawal : undefined
  } catch {
    return undefined // viem throws on an unknown selector, and on arguments that do not decode
  }
}

function isSameCall(call: Call | undefined, other: Call): boolean {
  return (
    call !== undefined &&
    isAddressEqual(call.to, other.to) &&
    call.value === other.value &&
    call.data.toLowerCase() === other.data.toLowerCase()
  )
}

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
