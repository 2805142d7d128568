import { decodeCalls, encodeContractSignature, encodeSignature, type UserOperation } from '@lanyard/accounts'
import {
  type Address,
  concat,
  encodePacked,
  type Hex,
  isAddressEqual,
  size,
  slice,
  toFunctionSelector,
} from 'viem'
import { SessionKeysError } from '../errors.ts'
import { encodeP256Key, type SessionKey, sessionKeyId } from './session-key.ts'

const executeSelector = toFunctionSelector('execute(bytes32,(address,uint256,bytes)[])')

export interface SessionSignatureParameters {
  /** Its `callData` is `encodeCalls([encodeSessionExecute(…)])`, its nonce uses the session's nonce key. */
  readonly operation: Omit<UserOperation, 'sender' | 'initCode'>
  /** Unix seconds, as signed; within the session's validity. */
  readonly validAfter: number
  /** Unix seconds, as signed; within the session's validity, and not 0. */
  readonly validUntil: number
  /** The SessionKeys contract. */
  readonly sessionKeys: Address
  readonly key: SessionKey
  /**
   * A signature over the SafeOp hash (`getSafeOperationHash`): 65 bytes r ‖ s ‖ v. For a P-256 key, 64 bytes
   * r ‖ s over SHA-256 of those 32 bytes, the result of WebCrypto's `sign` with
   * `{ name: 'ECDSA', hash: 'SHA-256' }`.
   */
  readonly signature: Hex
}

/**
 * The `signature` of a user operation by a session: uint48 validAfter ‖ uint48 validUntil ‖ a Safe's contract
 * signature of SessionKeys, which contains the data that the contract needs to rebuild the operation
 * (SessionSignature.sol).
 *
 * @throws SessionKeysError NOT_A_SESSION_OPERATION for other call data; MALFORMED for a signature of another
 * length; AccountsError OUT_OF_RANGE for a time over 48 bits.
 */
export function encodeSessionSignature(parameters: SessionSignatureParameters): Hex {
  const { operation, validAfter, validUntil, sessionKeys, key, signature } = parameters
  const calls = encodedCallsOf(parameters)
  const head = encodePacked(
    ['bytes32', 'uint64', 'uint48', 'uint48', 'uint128', 'uint128', 'uint128', 'uint128', 'uint128'],
    [
      sessionKeyId(key),
      BigInt.asUintN(64, operation.nonce),
      validAfter,
      validUntil,
      operation.verificationGasLimit,
      operation.callGasLimit,
      operation.preVerificationGas,
      operation.maxPriorityFeePerGas,
      operation.maxFeePerGas,
    ],
  )
  const { paymasterAndData } = operation
  const tail = encodePacked(
    ['uint32', 'bytes', 'uint32', 'bytes'],
    [size(calls), calls, size(paymasterAndData), paymasterAndData],
  )
  const contractSignature = concat([head, tail, keySignatureOf(key, signature)])
  const signatures = encodeContractSignature(sessionKeys, contractSignature)
  return encodeSignature({ validAfter, validUntil, signatures })
}

/** The arguments of `execute` after the key, as encoded in the operation's call data. */
function encodedCallsOf({ operation, sessionKeys, key }: SessionSignatureParameters): Hex {
  const decoded = decodeCalls(operation.callData)
  const [call, ...others] = decoded.ok ? decoded.calls : []
  const prefix = concat([executeSelector, sessionKeyId(key)])
  const isExecute =
    call !== undefined &&
    others.length === 0 &&
    isAddressEqual(call.to, sessionKeys) &&
    call.value === 0n &&
    call.data.startsWith(prefix)
  if (!isExecute)
    throw new SessionKeysError(
      'NOT_A_SESSION_OPERATION',
      'The call data is not a single call of SessionKeys.execute for this key.',
    )
  return slice(call.data, size(prefix))
}

function keySignatureOf(key: SessionKey, signature: Hex): Hex {
  const isAddress = typeof key === 'string'
  if (size(signature) !== (isAddress ? 65 : 64))
    throw new SessionKeysError(
      'MALFORMED',
      `A signature of this key has ${isAddress ? '65 bytes: r, s, v' : '64 bytes: r, s'}.`,
    )
  return isAddress ? signature : concat([signature, encodeP256Key(key)])
}

/** r, s and v for which `ecrecover` returns some address, so that it costs as much as a real signature. */
const stubEcdsa: Hex = `0x${'ec'.repeat(32)}${'5c'.repeat(32)}1c`

/** r and s are in range, and no key's signature over any real hash. */
const stubP256: Hex = `0x${'ec'.repeat(32)}${'5c'.repeat(32)}`

/**
 * The gas of validation that a stub does not show. Only if a contract's signature is valid does the Safe look
 * the contract up among its owners (a cold read) and return. (2,650 measured.) Add it to an estimated
 * verificationGasLimit.
 */
export const stubShortfallGas = 3_000n

/**
 * A session signature for gas estimation: exactly as long as the real one, at most {@link stubShortfallGas}
 * cheaper, and valid for no operation. Everything except the key's signature is really checked, so the
 * operation must be within the limits of the session in its current state, including its fee (gas limits of 0
 * cost nothing).
 *
 * On P-256, a wrong signature calls the precompile twice if there is one (6,900 gas instead of 3,450).
 * Otherwise it runs OpenZeppelin's Solidity, like the real one.
 */
export function stubSessionSignature(parameters: Omit<SessionSignatureParameters, 'signature'>): Hex {
  const signature = typeof parameters.key === 'string' ? stubEcdsa : stubP256
  return encodeSessionSignature({ ...parameters, signature })
}
