import {
  type Call,
  decodeCalls,
  encodeCalls,
  fromWireUserOperation,
  getSafeOperationHash,
  getUserOperationHash,
  requiredPrefund,
  type WireUserOperation,
} from '@lanyard/accounts'
import { base64URLStringToBuffer } from '@simplewebauthn/browser'
import { type Address, bytesToHex, type Hash, isAddressEqual } from 'viem'
import { WalletError } from '../errors/wallet-error.ts'

/** What the service wants the passkey to sign. */
export interface ProposedOperation {
  /** base64url, as the authenticator gets it. */
  readonly challenge: string
  readonly userOp: WireUserOperation
  readonly validAfter?: string | undefined
  readonly validUntil?: string | undefined
}

/** An operation that was recomputed on this device. */
export interface VerifiedOperation {
  /** The calls as they are encoded in the operation: show these, not the ones that were asked for. */
  readonly calls: readonly Call[]
  /** What the passkey signs. */
  readonly safeOperationHash: Hash
  /** The operation's name on chain. */
  readonly userOpHash: Hash
  /** The most that it can cost, wei. */
  readonly maxFee: bigint
  /** Somebody else pays that. */
  readonly sponsored: boolean
  readonly deploysAccount: boolean
}

/**
 * Recomputes from `userOp` what the authenticator is about to sign, trusting nothing that the service says about
 * it: the account is ours, the calls are exactly those asked for, and the challenge is the hash of all of that
 * on this network. Call it before the authenticator is invoked.
 *
 * @throws WalletError SENDER_DIFFERS, CALLS_DIFFER, HASH_DIFFERS; NOT_VERIFIABLE for what cannot be read.
 */
export function verifyOperation(
  proposed: ProposedOperation,
  expected: { account: Address; chainId: number; calls: readonly Call[] },
): VerifiedOperation {
  const wire = fromWireUserOperation(proposed.userOp)
  if (!wire.ok) throw new WalletError('NOT_VERIFIABLE', { cause: wire })
  const { operation } = wire

  if (!isAddressEqual(operation.sender, expected.account)) throw new WalletError('SENDER_DIFFERS')
  const decoded = decodeCalls(operation.callData)
  if (!decoded.ok || encodeCalls(expected.calls) !== operation.callData.toLowerCase())
    throw new WalletError('CALLS_DIFFER', { cause: decoded })

  const { chainId } = expected
  const safeOperationHash = getSafeOperationHash(operation, {
    chainId,
    validAfter: readTime(proposed.validAfter),
    validUntil: readTime(proposed.validUntil),
  })
  const challenge = bytesToHex(new Uint8Array(base64URLStringToBuffer(proposed.challenge)))
  if (challenge !== safeOperationHash) throw new WalletError('HASH_DIFFERS')

  return {
    calls: decoded.calls,
    safeOperationHash,
    userOpHash: getUserOperationHash(operation, { chainId }),
    maxFee: requiredPrefund(operation),
    sponsored: operation.paymasterAndData !== '0x',
    deploysAccount: operation.initCode !== '0x',
  }
}

/** Unix seconds; absent means no bound. */
function readTime(value: string | undefined): number {
  if (value === undefined) return 0
  if (!/^\d{1,15}$/.test(value)) throw new WalletError('NOT_VERIFIABLE')
  return Number(value)
}
