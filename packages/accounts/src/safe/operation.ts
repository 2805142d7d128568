import {
  type Address,
  concat,
  type Hash,
  type Hex,
  hexToNumber,
  keccak256,
  numberToHex,
  size,
  slice,
  stringToHex,
  type TypedDataDefinition,
} from 'viem'
import { AccountsError } from '../errors.ts'
import type { AccountOwner } from '../owner.ts'
import { eoaStub } from '../signers/eoa/signature.ts'
import { passkeyStub } from '../signers/passkey/signature.ts'
import { assertFits, type UserOperation } from '../user-operation/user-operation.ts'
import { addressWord, assertUint, hashWord, uintWord } from '../words.ts'
import { type AccountDeployment, defaultDeployment } from './deployment.ts'

/** `SafeOp` of Safe4337Module 0.3.0 (SAFE_OP_TYPEHASH). */
const safeOperationTypes = {
  SafeOp: [
    { name: 'safe', type: 'address' },
    { name: 'nonce', type: 'uint256' },
    { name: 'initCode', type: 'bytes' },
    { name: 'callData', type: 'bytes' },
    { name: 'verificationGasLimit', type: 'uint128' },
    { name: 'callGasLimit', type: 'uint128' },
    { name: 'preVerificationGas', type: 'uint256' },
    { name: 'maxPriorityFeePerGas', type: 'uint128' },
    { name: 'maxFeePerGas', type: 'uint128' },
    { name: 'paymasterAndData', type: 'bytes' },
    { name: 'validAfter', type: 'uint48' },
    { name: 'validUntil', type: 'uint48' },
    { name: 'entryPoint', type: 'address' },
  ],
} as const

/** The inputs of a SafeOp hash other than the operation. */
export interface SafeOperationContext extends Partial<Pick<AccountDeployment, 'module' | 'entryPoint'>> {
  readonly chainId: number
  /** Unix seconds, uint48; the operation is not valid earlier. 0 (default): no bound. */
  readonly validAfter?: number
  /** Unix seconds, uint48; the operation is not valid later. 0 (default): no bound. */
  readonly validUntil?: number
}

/**
 * The EIP-712 message that an owner signs to authorise `operation`; give it to a wallet's `signTypedData`.
 *
 * @throws AccountsError OUT_OF_RANGE for a number that does not fit its field.
 */
export function safeOperationTypedData(
  operation: UserOperation,
  context: SafeOperationContext,
): TypedDataDefinition<typeof safeOperationTypes, 'SafeOp'> {
  const { chainId, validAfter = 0, validUntil = 0 } = context
  const { module = defaultDeployment.module, entryPoint = defaultDeployment.entryPoint } = context
  assertFits(operation)
  assertUint(BigInt(validAfter), 48, 'validAfter')
  assertUint(BigInt(validUntil), 48, 'validUntil')
  return {
    domain: { chainId, verifyingContract: module },
    types: safeOperationTypes,
    primaryType: 'SafeOp',
    message: {
      safe: operation.sender,
      nonce: operation.nonce,
      initCode: operation.initCode,
      callData: operation.callData,
      verificationGasLimit: operation.verificationGasLimit,
      callGasLimit: operation.callGasLimit,
      preVerificationGas: operation.preVerificationGas,
      maxPriorityFeePerGas: operation.maxPriorityFeePerGas,
      maxFeePerGas: operation.maxFeePerGas,
      paymasterAndData: operation.paymasterAndData,
      validAfter,
      validUntil,
      entryPoint,
    },
  }
}

const typeHash = (text: string) => keccak256(stringToHex(text)).slice(2)

/** EIP-712, section `encodeType`. */
const safeOperationType = typeHash(
  `SafeOp(${safeOperationTypes.SafeOp.map(({ type, name }) => `${type} ${name}`).join()})`,
)
const domainType = typeHash('EIP712Domain(uint256 chainId,address verifyingContract)')

/**
 * The 32 bytes that an owner signs: the EIP-712 digest of the SafeOp, `Safe4337Module.getOperationHash`. It
 * is the service's `messageToSign`, and the challenge of a passkey. It equals viem's `hashTypedData` of
 * {@link safeOperationTypedData}.
 *
 * @throws AccountsError OUT_OF_RANGE for a number that does not fit its field.
 */
export function getSafeOperationHash(operation: UserOperation, context: SafeOperationContext): Hash {
  const { message } = safeOperationTypedData(operation, context)
  const { chainId, module = defaultDeployment.module } = context
  const separator = hashWord(`0x${domainType}${uintWord(BigInt(chainId))}${addressWord(module)}`)
  const struct = hashWord(
    `0x${safeOperationType}${addressWord(message.safe)}${uintWord(message.nonce)}${hashWord(message.initCode)}${hashWord(message.callData)}${uintWord(message.verificationGasLimit)}${uintWord(message.callGasLimit)}${uintWord(message.preVerificationGas)}${uintWord(message.maxPriorityFeePerGas)}${uintWord(message.maxFeePerGas)}${hashWord(message.paymasterAndData)}${uintWord(BigInt(message.validAfter))}${uintWord(BigInt(message.validUntil))}${addressWord(message.entryPoint)}`,
  )
  return keccak256(`0x1901${separator}${struct}`)
}

/** The contents of a user operation's `signature` for Safe4337Module. */
export interface OperationSignature {
  /** Unix seconds, uint48, 0: no bound. Must equal the value that was signed. */
  readonly validAfter: number
  /** Unix seconds, uint48, 0: no bound. Must equal the value that was signed. */
  readonly validUntil: number
  /** Signatures in the format of `Safe.checkSignatures`. */
  readonly signatures: Hex
}

/**
 * A user operation's `signature`: uint48 validAfter ‖ uint48 validUntil ‖ signatures (Safe4337Module 0.3.0,
 * `_getSafeOp`).
 *
 * @throws AccountsError OUT_OF_RANGE for a time over 48 bits.
 */
export function encodeSignature({ validAfter, validUntil, signatures }: OperationSignature): Hex {
  assertUint(BigInt(validAfter), 48, 'validAfter')
  assertUint(BigInt(validUntil), 48, 'validUntil')
  return concat([numberToHex(validAfter, { size: 6 }), numberToHex(validUntil, { size: 6 }), signatures])
}

/**
 * The inverse of `encodeSignature`.
 *
 * @throws AccountsError MALFORMED if it is shorter than the two timestamps.
 */
export function decodeSignature(signature: Hex): OperationSignature {
  if (size(signature) < 12)
    throw new AccountsError('MALFORMED', 'The signature is shorter than validAfter and validUntil.')
  return {
    validAfter: hexToNumber(slice(signature, 0, 6)),
    validUntil: hexToNumber(slice(signature, 6, 12)),
    signatures: size(signature) === 12 ? '0x' : slice(signature, 12),
  }
}

/** What stands for the signature of each kind of owner. */
const stubs: Readonly<Record<AccountOwner['kind'], (signer: Address) => Hex>> = {
  eoa: () => eoaStub,
  passkey: passkeyStub,
}

/**
 * A signature for gas estimation: at least as long and as costly as the owner's real ones, and valid for no
 * operation. If a chain has the P-256 precompile, a bad signature makes the signer contract fall through to
 * the Solidity verifier, which a real one does not. The estimation must therefore override that verifier's
 * code.
 *
 * @param options.signer for a passkey added later, its signer contract (`computeSignerAddress`).
 */
export function stubSignature(
  owner: Pick<AccountOwner, 'kind'>,
  options: {
    validAfter?: number
    validUntil?: number
    signer?: AccountDeployment['sharedSigner']
  } = {},
): Hex {
  const { validAfter = 0, validUntil = 0, signer = defaultDeployment.sharedSigner } = options
  return encodeSignature({ validAfter, validUntil, signatures: stubs[owner.kind](signer) })
}
