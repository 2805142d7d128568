import type { Call, UserOperation } from '@lanyard/accounts'
import { decodeTokenFee, encodeTokenFeeApproval, maximumTokenFee } from '@lanyard/smart-balance'
import { type Address, isAddressEqual } from 'viem'
import { BuildVerificationError } from './verification-error.ts'

/** What an operation can cost in a token, as its bytes allow it. */
export interface VerifiedTokenFee {
  readonly token: Address
  /** The contract that may take it, in `postOp` of operations that the account signed. */
  readonly paymaster: Address
  /** Base units of the token: all gas limits at the highest price, and the approved amount. */
  readonly maximum: bigint
  /** Base units of the token for 10^18 wei. */
  readonly rate: bigint
  /** Unix seconds. */
  readonly validUntil: number
  /** The first calls of the operation: they let the paymaster take exactly `maximum`. */
  readonly approvals: readonly Call[]
}

export interface ExpectedTokenFee {
  /** As in the request. */
  readonly feeToken: Address
  /** Base units of the token. Absent: any fee that the service chooses, so show it before signing. */
  readonly maximumTokenFee?: bigint | undefined
}

/**
 * Recomputes what an operation can cost in the requested token from its signed rate and limits.
 *
 * @returns the fee; its approvals stand in front of the requested calls
 * @throws BuildVerificationError naming the field
 */
export function verifyTokenFee(
  operation: UserOperation,
  calls: readonly Call[],
  { feeToken, maximumTokenFee: highest }: ExpectedTokenFee,
): VerifiedTokenFee {
  const decoded = decodeTokenFee(operation.paymasterAndData)
  const reject = (message: string) => new BuildVerificationError('userOp.paymasterAndData', message)
  if (!decoded.ok) throw reject('it does not pay in the requested token')
  const { token, paymaster, rate, validUntil } = decoded.fee
  if (!isAddressEqual(token, feeToken)) throw reject('it pays in another token')
  const maximum = maximumTokenFee(operation, decoded.fee)
  if (highest !== undefined && maximum > highest)
    throw reject(`it may cost ${maximum} of the token's base units, more than ${highest}`)
  const approvals = [false, true]
    .map((resetFirst) => encodeTokenFeeApproval({ token, paymaster, maximum, resetFirst }))
    .find((expected) => expected.every((call, index) => isSame(call, calls[index])))
  if (!approvals)
    throw new BuildVerificationError(
      'userOp.callData',
      `it does not begin with the approval of exactly ${maximum} base units of the fee's token`,
    )
  return { token, paymaster, maximum, rate, validUntil, approvals }
}

const isSame = (expected: Call, call: Call | undefined): boolean =>
  call !== undefined &&
  call.value === expected.value &&
  call.data.toLowerCase() === expected.data.toLowerCase() &&
  isAddressEqual(call.to, expected.to)
