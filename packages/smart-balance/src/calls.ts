import type { Call } from '@lanyard/accounts'
import { smartBalanceAbi } from '@lanyard/onchain'
import { type Address, encodeFunctionData, erc20Abi, type Hex } from 'viem'
import { assertUint } from './bytes.ts'
import { SmartBalanceError } from './errors.ts'
import { isSponsorship, type Order } from './order/order.ts'
import type { Withdrawal } from './withdrawal.ts'

/** A call without value. */
function callOf(to: Address, data: Hex): Call {
  return { to, value: 0n, data }
}

/** Pins a signer (`signerId`) of the account, effective immediately. */
export function encodeAddSigner(smartBalance: Address, signer: Hex): Call {
  return callOf(
    smartBalance,
    encodeFunctionData({ abi: smartBalanceAbi, functionName: 'addSigner', args: [signer] }),
  )
}

/** Removes a pinned signer (`signerId`) of the account, effective after `signerRemovalDelay`. */
export function encodeRemoveSigner(smartBalance: Address, signer: Hex): Call {
  return callOf(
    smartBalance,
    encodeFunctionData({ abi: smartBalanceAbi, functionName: 'removeSigner', args: [signer] }),
  )
}

/**
 * The account takes the lent amount. Required even if nothing is lent, as long as the order has debits:
 * otherwise postOp would see a failure.
 *
 * @param nonce the whole nonce of the operation that makes the call.
 */
export function encodeClaim(smartBalance: Address, nonce: bigint): Call {
  return callOf(
    smartBalance,
    encodeFunctionData({ abi: smartBalanceAbi, functionName: 'claim', args: [nonce] }),
  )
}

/** A withdrawal with the operator's co-signature (over `getWithdrawalHash`), 65 bytes. */
export type CosignedWithdrawal = Withdrawal & { readonly signature: Hex }

/** The account withdraws from its own deposit. */
export function encodeWithdraw(smartBalance: Address, withdrawal: CosignedWithdrawal): Call {
  const { to, amount, fee, salt, deadline, signature } = withdrawal
  return callOf(
    smartBalance,
    encodeFunctionData({
      abi: smartBalanceAbi,
      functionName: 'withdraw',
      args: [to, amount, fee, salt, deadline, signature],
    }),
  )
}

/**
 * The first calls of an operation that uses an order: the withdrawal, if any, then the claim, unless the
 * order is a sponsorship.
 */
export function encodeOrderCalls({
  smartBalance,
  order,
  nonce,
  withdrawal,
}: {
  readonly smartBalance: Address
  readonly order: { readonly claimAmount: Order['claimAmount']; readonly debits: readonly unknown[] }
  /** The whole nonce of the operation. */
  readonly nonce: bigint
  /** Absent: nothing is withdrawn. */
  readonly withdrawal?: CosignedWithdrawal | undefined
}): Call[] {
  return [
    ...(withdrawal ? [encodeWithdraw(smartBalance, withdrawal)] : []),
    ...(isSponsorship(order) ? [] : [encodeClaim(smartBalance, nonce)]),
  ]
}

export interface EncodeDepositParameters {
  /** The settlement token of the network. */
  readonly token: Address
  readonly smartBalance: Address
  /** 6-decimal units. uint128. */
  readonly amount: bigint
  /** The token's decimals, 6 to 36 (Vault.sol). */
  readonly decimals: number
  /** Also pins this signer: the owner's `signerId`, with the first deposit. */
  readonly addSigner?: Hex | undefined
}

/**
 * The calls that deposit: approve exactly the deposited amount, in the token's own units, deposit it, pin the
 * signer.
 *
 * @throws SmartBalanceError OUT_OF_RANGE for an amount or decimals that the contract rejects.
 */
export function encodeDeposit(parameters: EncodeDepositParameters): Call[] {
  const { token, smartBalance, amount, decimals, addSigner } = parameters
  assertUint(amount, 128, 'amount')
  if (!Number.isInteger(decimals) || decimals < 6 || decimals > 36)
    throw new SmartBalanceError('OUT_OF_RANGE', `A token with ${decimals} decimals cannot be deposited.`)
  const units = amount * 10n ** BigInt(decimals - 6)
  return [
    callOf(
      token,
      encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [smartBalance, units] }),
    ),
    callOf(
      smartBalance,
      encodeFunctionData({ abi: smartBalanceAbi, functionName: 'deposit', args: [amount] }),
    ),
    ...(addSigner === undefined ? [] : [encodeAddSigner(smartBalance, addSigner)]),
  ]
}

/**
 * Requests an exit of `amount` (6-decimal units) from the deposit, replacing an earlier request. Ready after
 * `exitDelay`.
 */
export function encodeRequestExit(smartBalance: Address, amount: bigint): Call {
  return callOf(
    smartBalance,
    encodeFunctionData({ abi: smartBalanceAbi, functionName: 'requestExit', args: [amount] }),
  )
}

/** Cancels an exit, which makes its amount spendable again. */
export function encodeCancelExit(smartBalance: Address): Call {
  return callOf(smartBalance, encodeFunctionData({ abi: smartBalanceAbi, functionName: 'cancelExit' }))
}

/** Pays an exit that is ready to `to`. */
export function encodeFinalizeExit(smartBalance: Address, to: Address): Call {
  return callOf(
    smartBalance,
    encodeFunctionData({ abi: smartBalanceAbi, functionName: 'finalizeExit', args: [to] }),
  )
}
