import { type ByteArray, encodeAbiParameters, hexToBytes, isAddressEqual, size } from 'viem'
import { delegatedDeployment, isDelegationInitCode } from '../eip7702/deployment.ts'
import { packUserOperation, type SignedUserOperation, unpackPaymasterAndData } from './user-operation.ts'

/** What a chain charges for a bundle outside the gas that EntryPoint can measure. Units of gas. */
export interface PreVerificationGasParameters {
  /** A transaction's base cost. */
  readonly transactionGas: bigint
  /** handleOps' fixed overhead for a bundle. */
  readonly bundleOverhead: bigint
  /** EntryPoint's work for each operation outside its measurements. */
  readonly operationOverhead: bigint
  /**
   * EntryPoint's work for each 32-byte word of the operation's callData, which is copied to memory. In
   * thousandths.
   */
  readonly milliGasPerWord: bigint
  /** EIP-2028 in EIP-7623's terms: a zero byte is one token, another byte four. */
  readonly gasPerToken: bigint
  /** EIP-7623: the minimum that a transaction pays for each token of its calldata. */
  readonly floorGasPerToken: bigint
  /** EIP-7702's PER_EMPTY_ACCOUNT_COST: what a transaction pays for an authorisation, whether or not it applies. */
  readonly authorizationGas: bigint
  /** Operations that share a bundle's fixed costs. 1 means no sharing, the conservative choice. */
  readonly bundleSize: bigint
}

/**
 * Ethereum after Pectra. Overheads: `MainnetConfig` of eth-infinitism/bundler
 * (packages/sdk/src/PreVerificationGasCalculator.ts), measured there against EntryPoint v0.7 with a minimal
 * account. A Safe's operation costs up to 2,000 more outside EntryPoint's measurements, so the overhead of an
 * operation is 9,760 instead of 7,260 (test/pre-verification-gas.test.ts checks this against real bundles).
 */
export const ethereumPreVerificationGas: PreVerificationGasParameters = {
  transactionGas: 21_000n,
  bundleOverhead: 9_830n,
  operationOverhead: 9_760n,
  milliGasPerWord: 9_500n,
  gasPerToken: 4n,
  floorGasPerToken: 10n,
  authorizationGas: 25_000n,
  bundleSize: 1n,
}

/**
 * What an operation is charged at least for its call gas and the gas of postOp: EntryPoint's penalty, a tenth of what it
 * does not use. v0.8 forgives 40,000 of unused call gas (PENALTY_GAS_THRESHOLD), and charges nothing for a postOp that
 * it does not call.
 */
function minCharge({ callGasLimit, entryPoint }: SignedUserOperation, postOpGasLimit: bigint): bigint {
  if (!entryPoint || !isAddressEqual(entryPoint, delegatedDeployment.entryPoint))
    return (callGasLimit + postOpGasLimit) / 10n
  const forgiven = 40_000n
  if (callGasLimit <= forgiven) return 0n
  const [penalty, used] = [callGasLimit / 10n, callGasLimit - forgiven]
  return used < penalty ? used : penalty
}

/**
 * preVerificationGas of an operation on Ethereum and chains with the same pricing: its share of a bundle's
 * cost outside EntryPoint's own measurements. Rollups that also charge for L1 data add that on top.
 *
 * Calldata costs the larger of EIP-2028's price and EIP-7623's floor. The gas that the operation is sure to
 * pay anyway (`verificationGasUsed`, and EntryPoint's penalty for unused call gas) counts
 * towards the floor.
 *
 * @param operation with a signature as long as the real one (`stubSignature`). Its gas and fees may still be
 * unknown: they are counted at their maximum. One with the `initCode` of EIP-7702 pays for an authorisation, even if it
 * turns out to need none.
 * @param options.verificationGasUsed the gas that validation is known to use; 0 if unknown.
 */
export function calculatePreVerificationGas(
  operation: SignedUserOperation,
  options: {
    parameters?: PreVerificationGasParameters
    verificationGasUsed?: bigint
  } = {},
): bigint {
  const { parameters = ethereumPreVerificationGas, verificationGasUsed = 0n } = options
  const { transactionGas, bundleOverhead, operationOverhead, milliGasPerWord, bundleSize } = parameters

  const words = BigInt(Math.ceil(size(operation.callData) / 32))
  const overhead =
    divideUp(transactionGas + bundleOverhead, bundleSize) +
    operationOverhead +
    (isDelegationInitCode(operation.initCode) ? parameters.authorizationGas : 0n) +
    divideUp(words * milliGasPerWord, 1000n)
  const tokens = countTokens(encodeOperation(operation))
  const standard = overhead + tokens * parameters.gasPerToken

  const postOpGasLimit = unpackPaymasterAndData(operation.paymasterAndData)?.paymasterPostOpGasLimit ?? 0n
  const paidOtherwise = verificationGasUsed + minCharge(operation, postOpGasLimit)
  const floor = divideUp(transactionGas, bundleSize) + tokens * parameters.floorGasPerToken - paidOtherwise
  // Stryker disable next-line EqualityOperator: if the numbers are equal, either is the larger
  return standard > floor ? standard : floor
}

/** The operation's part of handleOps' calldata, with the numbers that are not yet known at their maximum. */
function encodeOperation(operation: SignedUserOperation): ByteArray {
  const packed = packUserOperation({ ...operation, ...largestGas })
  return hexToBytes(
    encodeAbiParameters(packedUserOperationParameters, [
      packed.sender,
      packed.nonce,
      packed.initCode,
      packed.callData,
      packed.accountGasLimits,
      packed.preVerificationGas,
      packed.gasFees,
      packed.paymasterAndData,
      packed.signature,
    ]),
  )
}

/** 4 bytes of gas and 8 of fees are enough for every real operation; full uint128s would overcharge. */
const largestGas = {
  callGasLimit: 0xff_ff_ff_ffn,
  verificationGasLimit: 0xff_ff_ff_ffn,
  preVerificationGas: 0xff_ff_ff_ffn,
  maxFeePerGas: 0xff_ff_ff_ff_ff_ff_ff_ffn,
  maxPriorityFeePerGas: 0xff_ff_ff_ff_ff_ff_ff_ffn,
}

const packedUserOperationParameters = [
  { type: 'address' },
  { type: 'uint256' },
  { type: 'bytes' },
  { type: 'bytes' },
  { type: 'bytes32' },
  { type: 'uint256' },
  { type: 'bytes32' },
  { type: 'bytes' },
  { type: 'bytes' },
] as const

function countTokens(bytes: ByteArray): bigint {
  let tokens = 0
  for (const byte of bytes) tokens += byte === 0 ? 1 : 4
  return BigInt(tokens)
}

function divideUp(dividend: bigint, divisor: bigint): bigint {
  return (dividend + divisor - 1n) / divisor
}
