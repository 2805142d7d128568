import type { Call } from '@lanyard/accounts'
import {
  BuildVerificationError,
  type TransactionOptions,
  type VerifiedTokenFee,
  verifyTransactionOptions,
} from '@lanyard/client'
import type { Address, Hash, Hex } from 'viem'
import { WalletError, type WalletErrorCode } from '../errors/wallet-error.ts'

/** An operation recomputed on this device. */
export interface VerifiedOperation {
  /** The calls as encoded in the operation, without those of `tokenFee`. Show these instead of the requested ones. */
  readonly calls: readonly Call[]
  /** What it can cost in a token, if the account pays the network fee in one. */
  readonly tokenFee?: VerifiedTokenFee
  /** The hash that the passkey signs. */
  readonly operationHash: Hash
  /** The operation's identifier on chain. */
  readonly userOpHash: Hash
  /** The maximum cost to the payer, in wei. */
  readonly maxFee: bigint
  readonly deploysAccount: boolean
  /** Of the account. Of two operations with the same nonce, only one can be included. */
  readonly nonce: bigint
}

/** The requested operation. */
export interface ExpectedOperation {
  readonly account: Address
  readonly chainId: number
  readonly calls: readonly Call[]
  /** The required payer of the gas; `sponsored` means the service. Absent: the account. */
  readonly paymasterData?: Hex | 'sponsored' | undefined
  /** The token in which the account pays the gas. Absent: none. */
  readonly feeToken?: Address | undefined
  /** The nonce of the operation that this one replaces. With another nonce, both could be included. */
  readonly nonce?: bigint | undefined
}

/** Converts calls to the format of requests. */
export const toTransactionDetails = (calls: readonly Call[]) =>
  calls.map(({ to, value, data }) => ({
    targetContractAddress: to,
    value: value.toString(),
    encodedData: data,
  }))

/**
 * Recomputes on this device what the authenticator signs. The account must be this one, the calls exactly the
 * requested ones, and the payer the requested one. The challenge must be the hash of all of that on this
 * network. Call it before the authenticator.
 *
 * @throws WalletError SENDER_DIFFERS, CALLS_DIFFER, HASH_DIFFERS, NONCE_DIFFERS; NOT_VERIFIABLE for everything else
 */
export function verifyOperation(
  options: TransactionOptions,
  { account, chainId, calls, paymasterData, feeToken, nonce }: ExpectedOperation,
): VerifiedOperation {
  try {
    const verified = verifyTransactionOptions({
      options,
      request: { transactionDetails: toTransactionDetails(calls), paymasterData, feeToken },
      owner: { kind: 'account', address: account },
      network: chainId,
    })
    if (nonce !== undefined && verified.operation.nonce !== nonce) throw new WalletError('NONCE_DIFFERS')
    const { tokenFee } = verified
    return {
      calls: verified.calls.slice(tokenFee?.approvals.length ?? 0),
      ...(tokenFee && { tokenFee }),
      operationHash: verified.hash,
      userOpHash: verified.userOpHash,
      maxFee: verified.cost,
      nonce: verified.operation.nonce,
      deploysAccount: verified.operation.initCode !== '0x',
    }
  } catch (error) {
    if (!(error instanceof BuildVerificationError)) throw error
    throw new WalletError(codes[error.field] ?? 'NOT_VERIFIABLE', { cause: error })
  }
}

/** Error codes by the field that does not match. */
const codes: Readonly<Record<string, WalletErrorCode>> = {
  'userOp.sender': 'SENDER_DIFFERS',
  'userOp.callData': 'CALLS_DIFFER',
  challenge: 'HASH_DIFFERS',
}
