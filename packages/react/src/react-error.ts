import { BuildVerificationError, LanyardApiError } from '@lanyard/client'
import type { Hex } from 'viem'

/** Errors that this package itself raises: what happened, and what to do. */
const ownErrors = {
  SIGNED_OUT: ['Nobody is signed in.', 'Call createAccount or signIn first.'],
  NOT_SET_UP: [
    'The service answers only with a valid API key. This page sent none, or one that the service does not know.',
    'Pass publishableKey to LanyardProvider: `lanyard keys create shop --kind publishable --origin https://shop.example`.',
  ],
  PASSKEYS_UNSUPPORTED: [
    'This browser cannot use passkeys here.',
    'Use a current browser, over HTTPS or at http://localhost.',
  ],
  WRONG_ORIGIN: [
    'Passkeys of this service do not work on this domain.',
    'Serve the app on RP_ID of the service or below it, and add its origin to ORIGINS. On your own machine use http://localhost.',
  ],
  PASSKEY_EXISTS: ['This device already has a passkey for this account.', 'Call signIn instead.'],
  PASSKEY_REFUSED: [
    'This device cannot make or use the passkey.',
    'Use a device or password manager with ES256 passkeys and a screen lock.',
  ],
  REGISTRATION_UNCONFIRMED: [
    'The connection broke before the service confirmed the new account.',
    'Call signIn with the passkey just made. If it finds no account, call createAccount again.',
  ],
  UNREACHABLE: ['The service is not responding.', 'Check the connection, then try again. Nothing was sent.'],
  NOT_VERIFIED: [
    'The service prepared something other than requested, so nothing was signed.',
    'Do not use this service until its operator has explained why.',
  ],
  FOREIGN_ADDRESS: [
    'The service named an account that does not belong to this passkey.',
    'Do not send money to it. Ask the operator of the service.',
  ],
  TOO_EXPENSIVE: ['The fee would be higher than maximumCost.', 'Try again later, or raise maximumCost.'],
  INVALID_REQUEST: ['The request cannot be encoded.', 'Correct the addresses, amounts and types in it.'],
  KEY_REUSED: [
    'Other calls were already sent with this key.',
    'Use a key for one intent only, such as the number of an invoice whose amount does not change.',
  ],
  REVERTED: [
    'The operation was included, but its calls reverted.',
    'Only the fee was paid. Check the calls before you send them again.',
  ],
  DROPPED: ['The operation was not included, and will not be.', 'Nothing was paid. Send it again.'],
  NOT_INCLUDED_YET: [
    'The operation was signed, and is not included yet.',
    'Follow it with useOperation(userOpHash). Do not pay again before you know its outcome.',
  ],
  UNEXPECTED: ['Something unexpected happened.', 'See cause.'],
} as const satisfies Readonly<Record<string, readonly [what: string, advice: string]>>

/** Advice for the most common errors of the service. The service's own messages explain all other codes. */
const serviceAdvice: Partial<Record<LanyardApiError['code'], string>> = {
  USERNAME_TAKEN: 'Choose another name, or call signIn if it is yours.',
  USERNAME_REFUSED: 'Choose another name.',
  UNKNOWN_USER: 'Check the spelling, or call createAccount.',
  VERIFICATION_FAILED: 'Try again. A challenge is valid for five minutes and one use.',
  UNKNOWN_WALLET:
    'Sign out and create the account again. A development service forgets accounts when it restarts.',
  UNKNOWN_NETWORK: 'Pass a network to LanyardProvider that the service lists in GET /networks.',
  INSUFFICIENT_FUNDS: 'Send native coins to the account first, or send less.',
  EXECUTION_REVERTED: 'Check recipient, amount and arguments. Nothing was signed.',
  UNAUTHORIZED: 'Call signIn, which gets a new token, or check publishableKey.',
  FORBIDDEN: 'Check that the publishable key is for the origin of this page.',
  FEE_TOO_LOW: 'Fees have risen. Send it again.',
  REBUILD: 'It was out of date. Send it again.',
  UNKNOWN_OPERATION: 'Nothing with this hash was sent. Check the hash, or send it again.',
  OPERATION_IN_FLIGHT: 'Wait until the first operation of the account is included, then try again.',
  PAYMASTER_REFUSED: 'Send it without sponsored, or ask the operator for a gas policy.',
  RATE_LIMITED: 'Wait a minute, then try again.',
  INCLUSION_TIMEOUT: ownErrors.NOT_INCLUDED_YET[1],
  NETWORK_UNAVAILABLE: 'Try again in a moment. Nothing was signed.',
}

type OwnErrorCode = keyof typeof ownErrors

/** A code of this package, or of the service (`docs/errors.md`). */
export type ReactErrorCode = OwnErrorCode | LanyardApiError['code']

interface ErrorDetails {
  readonly cause?: unknown
  readonly userOpHash?: Hex | undefined
  readonly transactionHash?: Hex | undefined
  /** Replaces the default sentence. */
  readonly what?: string | undefined
  readonly advice?: string | undefined
  readonly requestId?: string | undefined
  readonly details?: Readonly<Record<string, unknown>>
}

/**
 * The error that every hook of this package rejects with. `message` says what happened and what to do; branch
 * on `code`.
 */
export class LanyardReactError extends Error {
  override readonly name = 'LanyardReactError'
  readonly code: ReactErrorCode
  /** What happened, in one sentence. */
  readonly what: string
  /** What the developer or the person can do. */
  readonly advice: string
  /** The operation in question, if one was signed. */
  readonly userOpHash: Hex | undefined
  /** The transaction that included the operation. */
  readonly transactionHash: Hex | undefined
  /** Quote this when you ask the operator for help. */
  readonly requestId: string | undefined
  /** Further fields of the service's response, such as figures and reasons. */
  readonly details: Readonly<Record<string, unknown>>

  constructor(code: ReactErrorCode, error: ErrorDetails = {}) {
    const [usualWhat, usualAdvice] = ownErrors[code as OwnErrorCode] ?? ownErrors.UNEXPECTED
    const what = error.what ?? usualWhat
    const advice = error.advice ?? usualAdvice
    super(`${what} ${advice}`, { cause: error.cause })
    this.code = code
    this.what = what
    this.advice = advice
    this.userOpHash = error.userOpHash
    this.transactionHash = error.transactionHash
    this.requestId = error.requestId
    this.details = error.details ?? {}
  }
}

/** By `DOMException.name` (WebAuthn L3 §5.1.3, §5.1.4), the only part on which browsers agree. */
const ceremonyErrors: Readonly<Record<string, OwnErrorCode>> = {
  InvalidStateError: 'PASSKEY_EXISTS',
  SecurityError: 'WRONG_ORIGIN',
  NotSupportedError: 'PASSKEY_REFUSED',
  ConstraintError: 'PASSKEY_REFUSED',
}

/** An error and its causes, a few levels deep. */
const chain = (error: unknown, depth = 0): readonly Error[] =>
  error instanceof Error && depth < 4 ? [error, ...chain(error.cause, depth + 1)] : []

/**
 * Whether the person closed the prompt, the prompt timed out, or the component unmounted. This is an ordinary
 * outcome. Browsers do not say which of these happened (WebAuthn L3 §14.5.1).
 */
export const isCancelled = (error: unknown): boolean =>
  !(error instanceof LanyardReactError) &&
  chain(error).some(({ name }) => name === 'NotAllowedError' || name === 'AbortError')

/** Whether the service did not respond completely: no connection, a time-out, or a partial response. */
export const isUnreachable = (error: unknown): boolean =>
  error instanceof Error &&
  (error.name === 'TimeoutError' || error.name === 'TypeError' || error.name === 'SyntaxError')

/** Converts any error to one of this package. */
export function toReactError(cause: unknown, service: string): LanyardReactError {
  if (cause instanceof LanyardReactError) return cause
  if (cause instanceof LanyardApiError) return ofService(cause, service)
  if (cause instanceof BuildVerificationError)
    return new LanyardReactError(cause.field === 'userOp.maxFeePerGas' ? 'TOO_EXPENSIVE' : 'NOT_VERIFIED', {
      cause,
    })
  for (const { name } of chain(cause)) {
    const code = ceremonyErrors[name]
    if (code) return new LanyardReactError(code, { cause })
  }
  return new LanyardReactError('UNEXPECTED', { cause })
}

function ofService(cause: LanyardApiError, service: string): LanyardReactError {
  const { code, message, requestId, issues, details } = cause
  if (code === 'UNAUTHORIZED' && details.missing === 'apiKey')
    return new LanyardReactError('NOT_SET_UP', { cause, requestId, details })
  const [issue] = issues
  const sentence = code === 'INVALID_INPUT' && issue ? `${issue.path}: ${issue.message}` : message
  return new LanyardReactError(code, {
    cause,
    what: /[.!?]$/.test(sentence) ? sentence : `${sentence}.`,
    advice: serviceAdvice[code] ?? `${service}/docs/errors#${code} says what to do.`,
    requestId,
    details,
  })
}
