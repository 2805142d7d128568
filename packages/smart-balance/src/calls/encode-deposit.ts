import type { Call } from '@lanyard/accounts'
import { smartBalanceAbi } from '@lanyard/onchain'
import { type Address, encodeFunctionData, erc20Abi, type Hex } from 'viem'
import { assertUint } from '../bytes.ts'
import { SmartBalanceError } from '../errors.ts'
import { callOf } from './call.ts'
import { encodeAddSigner } from './signers.ts'

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
