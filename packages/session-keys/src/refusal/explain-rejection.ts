import { sessionKeysAbi } from '@lanyard/onchain'
import { type ContractErrorName, decodeErrorResult, type Hex, parseAbi } from 'viem'

/** The limit that refused, or a failure of the called contract itself. */
export interface Refusal {
  /** The contract's error. */
  readonly rule: ContractErrorName<typeof sessionKeysAbi>
  /** In plain words. */
  readonly message: string
  /** The index of the call in the batch, from 0, if the refusal concerns one call. */
  readonly call?: number
  /** The called contract's revert data, if that contract failed. */
  readonly reason?: Hex
}

const standardErrors = parseAbi(['error Error(string message)', 'error Panic(uint256 code)'])

/**
 * Explains why SessionKeys refused, from the revert data of `isValidSignature` or `execute`, or from
 * EntryPoint's `UserOperationRevertReason`. Undefined if the data is not one of its errors.
 */
export function explainRefusal(revertData: Hex): Refusal | undefined {
  let decoded: ReturnType<typeof decodeErrorResult<typeof sessionKeysAbi>>
  try {
    decoded = decodeErrorResult({ abi: sessionKeysAbi, data: revertData })
  } catch {
    return undefined // viem throws on errors that are not in the ABI
  }
  switch (decoded.errorName) {
    case 'NoSession':
      return reject(
        decoded.errorName,
        'The key has no session with this account: it was revoked, or never granted.',
      )
    case 'OutsideValidity':
      return reject(
        decoded.errorName,
        "The operation's validAfter and validUntil are outside those of the session.",
      )
    case 'SessionNotInForce':
      return reject(
        decoded.errorName,
        `The session is valid from ${decoded.args[0]} until ${decoded.args[1]} (Unix seconds).`,
      )
    case 'OperationsExhausted':
      return reject(decoded.errorName, 'The session has used all of its operations.')
    case 'FeeTooHigh':
      return reject(
        decoded.errorName,
        `The operation can cost ${decoded.args[0]} wei, and the session allows ${decoded.args[1]} wei for each operation.`,
      )
    case 'OtherPaymaster':
      return reject(decoded.errorName, `The session does not allow the paymaster ${decoded.args[0]}.`)
    case 'OtherOperation':
      return reject(decoded.errorName, 'The data to sign is not an operation of this session.')
    case 'NotSignedByKey':
      return reject(decoded.errorName, "The session's key did not sign this operation.")
    case 'MalformedSessionSignature':
      return reject(decoded.errorName, 'The signature is incomplete.')
    case 'NoCalls':
      return reject(decoded.errorName, 'The operation has no calls.')
    case 'ForbiddenTarget':
      return reject(decoded.errorName, `No session may call ${decoded.args[0]}.`)
    case 'CallNotAllowed': {
      const [index, to, selector] = decoded.args
      return reject(decoded.errorName, `No rule allows this call of ${to} (${selector}).`, index)
    }
    case 'ValueTooHigh':
      return reject(
        decoded.errorName,
        `No rule allows a call to send ${decoded.args[1]} wei.`,
        decoded.args[0],
      )
    case 'AllowanceExceeded': {
      const [token, amount, left] = decoded.args
      const what = BigInt(token) === 0n ? 'the native token' : token
      return reject(
        decoded.errorName,
        `The session has ${left} base units of ${what} left, but would spend ${amount}.`,
      )
    }
    case 'ApprovalRemains': {
      const [token, spender] = decoded.args
      return reject(
        decoded.errorName,
        `An approval must end with its operation, but ${token} keeps the approval of ${spender}.`,
      )
    }
    case 'CallFailed': {
      const [index, reason] = decoded.args
      const message = `The session allows the call, but it failed${describeReason(reason)}`
      return { ...reject(decoded.errorName, message, index), reason }
    }
    default:
      return reject(decoded.errorName, `The session cannot be granted: ${decoded.errorName}.`)
  }
}

function reject(rule: Refusal['rule'], message: string, call?: bigint): Refusal {
  return { rule, message, ...(call === undefined ? {} : { call: Number(call) }) }
}

function describeReason(reason: Hex): string {
  if (reason === '0x') return ' without a reason.'
  try {
    const { errorName, args } = decodeErrorResult({ abi: standardErrors, data: reason })
    return errorName === 'Error' ? `: ${args[0]}` : `: panic ${args[0]}.`
  } catch {
    return `: ${reason}` // the called contract's own error
  }
}
