import type { Call } from '@lanyard/accounts'
import { BuildVerificationError, type TransactionOptions, verifyTransactionOptions } from '@lanyard/client'
import type { Address, Hash, Hex } from 'viem'
import { WalletError, type WalletErrorCode } from '../errors/wallet-error.ts'

/** An operation that was recomputed on this device. */
export interface VerifiedOperation {
  /** The calls as they are encoded in the operation: show these, not the ones that were asked for. */
  readonly calls: readonly Call[]
  /** What the passkey signs. */
  readonly safeOperationHash: Hash
  /** The operation's name on chain. */
  readonly userOpHash: Hash
  /** The most that it can cost whoever pays, wei. */
  readonly maxFee: bigint
  readonly deploysAccount: boolean
}

/** What was asked for. */
export interface ExpectedOperation {
  readonly account: Address
  readonly chainId: number
  readonly calls: readonly Call[]
  /** Who pays the gas, as the operation has to say it; `sponsored`: the service. Absent: the account. */
  readonly paymasterData?: Hex | 'sponsored' | undefined
}

/** The calls as requests write them. */
export const toTransactionDetails = (calls: readonly Call[]) =>
  calls.map(({ to, value, data }) => ({
    targetContractAddress: to,
    value: value.toString(),
    encodedData: data,
  }))

/**
 * Recomputes on this device what the authenticator is about to sign: the account is ours, the calls are exactly
 * those asked for, nobody else pays unless it was asked for, and the challenge is the hash of all of that on this network. Call it before
 * the authenticator is invoked.
 *
 * @throws WalletError SENDER_DIFFERS, CALLS_DIFFER, HASH_DIFFERS; NOT_VERIFIABLE for everything else.
 */
export function verifyOperation(
  options: TransactionOptions,
  { account, chainId, calls, paymasterData }: ExpectedOperation,
): VerifiedOperation {
  try {
    const verified = verifyTransactionOptions({
      options,
      request: { transactionDetails: toTransactionDetails(calls), paymasterData },
      owner: { kind: 'account', address: account },
      network: chainId,
    })
    return {
      calls: verified.calls,
      safeOperationHash: verified.hash,
      userOpHash: verified.userOpHash,
      maxFee: verified.cost,
      deploysAccount: verified.operation.initCode !== '0x',
    }
  } catch (error) {
    if (!(error instanceof BuildVerificationError)) throw error
    throw new WalletError(codes[error.field] ?? 'NOT_VERIFIABLE', { cause: error })
  }
}

/** By the member that is wrong. */
const codes: Readonly<Record<string, WalletErrorCode>> = {
  'userOp.sender': 'SENDER_DIFFERS',
  'userOp.callData': 'CALLS_DIFFER',
  challenge: 'HASH_DIFFERS',
}
