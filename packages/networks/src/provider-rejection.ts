import { BaseError, HttpRequestError, RpcRequestError } from 'viem'
import { classifyError, type ProviderMeaning } from './provider-errors.ts'
import { LimitedAnswer, readRetryAfter } from './rate-limit.ts'

/** Thrown in place of a provider's error whose meaning is known. */
export class ProviderRejection extends BaseError {
  override readonly name = 'ProviderRefusal'
  readonly meaning: Exclude<ProviderMeaning, 'rate-limited'>
  readonly method: string
  constructor(meaning: ProviderRejection['meaning'], method: string, details: string) {
    super(`The provider refused ${method}: ${meaning}`, { details })
    this.meaning = meaning
    this.method = method
  }
}

/** The provider's refusal in an error's chain of causes, if there is one. */
export function rejectionIn(error: unknown): ProviderRejection | undefined {
  const found = error instanceof BaseError ? error.walk((inner) => inner instanceof ProviderRejection) : null
  return found instanceof ProviderRejection ? found : undefined
}

/**
 * A provider's error by its meaning: a {@link LimitedAnswer} or a {@link ProviderRejection}. Any other error
 * is returned unchanged.
 */
export function toProviderError(
  error: unknown,
  {
    method,
    params,
    now,
  }: { readonly method: string; readonly params: readonly unknown[]; readonly now: number },
): unknown {
  const told = readTold(error)
  if (!told) return error
  const meaning = classifyError({ method, ...told })
  if (meaning === undefined) return error
  if (meaning === 'rate-limited') return new LimitedAnswer(told.text, readRetryAfter(told.retryAfter, now))
  // A call without overrides cannot be refused because of them.
  if (meaning === 'override-refused' && params[2] === undefined) return error
  return new ProviderRejection(meaning, method, told.text)
}

/**
 * A call of code that it puts there itself, and an empty answer: the node called what is really at the address. No
 * such code of this service returns nothing.
 *
 * @throws ProviderRefusal `override-refused`
 */
export function assertOverridden(
  method: string,
  [call, , overrides]: readonly unknown[],
  answer: unknown,
): void {
  if (method !== 'eth_call' || answer !== '0x' || typeof overrides !== 'object' || overrides === null) return
  const { to } = call as { readonly to?: string } // viem's parameters of eth_call
  const own = Object.entries(overrides as Record<string, { readonly code?: string }>)
  const isOwn = own.some(([address, { code }]) => code && address.toLowerCase() === to?.toLowerCase())
  if (isOwn) throw new ProviderRejection('override-refused', method, 'the node ignores state overrides')
}

interface Told {
  readonly status?: number
  readonly code?: number
  readonly text: string
  readonly retryAfter?: string | null
}

/** Undefined if no provider answered with an error. */
function readTold(error: unknown): Told | undefined {
  if (!(error instanceof BaseError)) return undefined
  const failed = error.walk((inner) => inner instanceof RpcRequestError || inner instanceof HttpRequestError)
  if (failed instanceof RpcRequestError) {
    const { code, details, data } = failed
    // Data is that of a revert, or says more than the message.
    const more =
      typeof data === 'string' ? data : data === undefined ? '' : JSON.stringify(data).slice(0, 500)
    return more.startsWith('0x') ? undefined : { code, text: `${details} ${more}`.trim() }
  }
  if (!(failed instanceof HttpRequestError) || failed.status === undefined) return undefined
  return {
    status: failed.status,
    text: failed.details,
    retryAfter: failed.headers?.get('retry-after') ?? null,
  }
}
