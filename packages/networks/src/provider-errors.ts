import { BaseError, HttpRequestError, RpcRequestError } from 'viem'
import { RateLimitResponse, readRetryAfter } from './request-queue.ts'

/** What a provider's error says about a request, whatever its words. */
export type ProviderMeaning =
  /** Too many requests: the same request works later. */
  | 'rate-limited'
  /** Too many requests in one HTTP request: fewer work. */
  | 'batch-too-large'
  /** Too many blocks in one `eth_getLogs`: fewer work. */
  | 'range-too-wide'
  /** Too many logs in this range, or too slow: the halves work, and other ranges of this width. */
  | 'too-many-results'
  /** The provider does not offer this method. */
  | 'method-missing'
  /** The body of this one request is larger than the provider accepts. */
  | 'request-too-large'
  /** The node takes no state overrides, or not these. */
  | 'override-refused'
  /** This node does not have the block (yet), although another node of the provider may. */
  | 'block-unknown'
  /** The node no longer has the state of the block. */
  | 'state-pruned'

/** A provider's refusal, as far as it can be read. */
interface ProviderError {
  readonly method: string
  /** The HTTP status, unless it was a success. */
  readonly status?: number | undefined
  /** The code of a JSON-RPC error. */
  readonly code?: number | undefined
  /** The message of a JSON-RPC error, or the body of an HTTP error. */
  readonly text: string
}

/** A rule matches if all its members match. */
interface Rule {
  readonly meaning: ProviderMeaning
  readonly methods?: readonly string[]
  readonly statuses?: readonly number[]
  /** `any`: every JSON-RPC error. */
  readonly codes?: readonly number[] | 'any'
  readonly words?: RegExp
}

const logs = ['eth_getLogs']
const simulations = ['eth_call', 'eth_estimateGas']

/**
 * The words and codes of providers, and their meanings: the only place that knows them. The first rule that
 * matches counts. Sources: EIP-1474, the messages of geth, Erigon, Nethermind, reth and Nitro, and of Alchemy,
 * Infura, QuickNode, Ankr, dRPC, Chainstack, BlockPi and public endpoints.
 */
const rules: readonly Rule[] = [
  { meaning: 'rate-limited', statuses: [429] },
  { meaning: 'rate-limited', codes: [429] },
  {
    meaning: 'rate-limited',
    words:
      /\brate[ -]?limit|too many requests|(requests?|calls|units?|credits?)( count)?( per|\/) ?(second|minute|day|sec\b)|\/(second|sec) request limit|request (rate|count|limit) (exceeded|reached)|(throughput|compute units?|capacity|quota|credits?)\b.*\b(exceed|reach|limit|exhaust|run out)|exceed\w*\b.*\b(throughput|compute units?|capacity|quota|credits)/i,
  },
  {
    meaning: 'batch-too-large',
    words:
      /\bbatch(es|ing|ed)?\b.*(too (large|big|many|long)|limit|exceed|max(imum)?|not (allowed|supported|available|permitted)|disabled|unsupported|more than|size)|(too (large|big|many|long)|limit|exceed|max(imum)?|more than|unsupported)\b.*\bbatch/i,
  },
  {
    meaning: 'block-unknown',
    words:
      /header (for hash )?not found|unknown block|^\w+ could not be found|requested block yet|block[^.]{0,80}\bnot (be )?found|(can ?not|could not|unable to) (find|get) (the )?(block|header)|after last accepted block|(beyond|greater than|ahead of|past|after)\b.{0,20}\b(head|latest|current) ?block|beyond current head|exceeds? the (head|latest)|invalid block range params/i,
  },
  { meaning: 'block-unknown', codes: [-39001] },
  {
    meaning: 'state-pruned',
    words:
      /missing trie node|pruned history|history (is )?(not available|unavailable|pruned)|data before .* not available|no state available|state (is )?(not available|unavailable|pruned)|historical state|state.{0,40}\bpruned|requires? (an )?archive|archive (node|data|request)/i,
  },
  { meaning: 'state-pruned', codes: [4444] },
  {
    meaning: 'method-missing',
    words:
      /method[^.]{0,60}\b(not (found|supported|available|allowed|implemented|whitelisted|enabled)|does not exist|disabled|unsupported|unavailable)|unsupported method|unknown method|no such method/i,
  },
  { meaning: 'method-missing', codes: [-32601, -32004] },
  {
    meaning: 'too-many-results',
    methods: logs,
    words:
      /(more than|too many|exceed\w*|max(imum)?|limit( of)?)\b.{0,30}\b(results|logs|events)\b|(response|result|payload|body).{0,20}\b(size|large|big|exceed)|time(d)? ?-?out|took too long|too slow/i,
  },
  { meaning: 'range-too-wide', methods: logs, words: /\b(range|blocks?|limit(ed)?)\b/i },
  { meaning: 'range-too-wide', methods: logs, statuses: [400, 413, 414, 422] },
  // Whatever else a provider says of a range: single blocks show whether that was the reason.
  { meaning: 'range-too-wide', methods: logs, codes: 'any' },
  // EIP-1474's "limit exceeded", of any other method.
  { meaning: 'rate-limited', codes: [-32005] },
  { meaning: 'request-too-large', statuses: [413] },
  {
    meaning: 'request-too-large',
    words:
      /(request|body|payload|entity|content)( length| size| entity)?( is)? (too (large|big|long)|exceed)|oversized (request|body|payload)/i,
  },
  {
    meaning: 'override-refused',
    methods: simulations,
    words:
      /overrid|too many (arguments|param)|(want|expect\w*|at most|maximum)\b.{0,20}\b(2|two)\b|extra (argument|param)|invalid (number|count) of (argument|param)|invalid argument 2\b/i,
  },
]

/** EIP-1474's code of a revert, and the words of nodes that use another one. */
const isRevert = ({ code, text }: ProviderError) =>
  code === 3 || /revert|\bvm (execution|exception)/i.test(text)

/**
 * The meaning of a provider's error; undefined for any other error. A revert has none: its reason is a
 * contract's, which could imitate any provider's words.
 */
export function classifyError(error: ProviderError): ProviderMeaning | undefined {
  if (isRevert(error)) return undefined
  const { method, status, code, text } = error
  return rules.find(
    ({ methods, statuses, codes, words }) =>
      (methods?.includes(method) ?? true) &&
      (statuses === undefined || (status !== undefined && statuses.includes(status))) &&
      (codes === undefined || (code !== undefined && (codes === 'any' || codes.includes(code)))) &&
      (words?.test(text) ?? true),
  )?.meaning
}

/**
 * The number of blocks that a refusal of a range names, such as "up to a 10 block range"; undefined if it
 * names none. It is only a first guess: the provider's next answer counts.
 */
export function namedRange(text: string): number | undefined {
  if (!/block|range/i.test(text)) return undefined
  const [, digits = ''] =
    /\b(\d[\d,_]*)\b(?!\s*(results|logs|events))/i.exec(text.replaceAll(/0x[0-9a-f]*/gi, '')) ?? []
  const named = Number(digits.replaceAll(/[,_]/g, ''))
  return Number.isSafeInteger(named) && named > 0 ? named : undefined
}

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

/** Thrown in place of an answer that is larger than this service reads. */
export class AnswerTooLargeError extends Error {
  override readonly name = 'AnswerTooLargeError'
  constructor() {
    super('The answer is too large')
  }
}

/** The provider's refusal in an error's chain of causes, if there is one. */
export function rejectionIn(error: unknown): ProviderRejection | undefined {
  const found = error instanceof BaseError ? error.walk((inner) => inner instanceof ProviderRejection) : null
  return found instanceof ProviderRejection ? found : undefined
}

/**
 * A provider's error by its meaning: a {@link RateLimitResponse} or a {@link ProviderRejection}. Any other error
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
  if (method === 'eth_getLogs' && isTooLarge(error))
    return new ProviderRejection('too-many-results', method, 'the answer is too large')
  const told = readTold(error)
  if (!told) return error
  const meaning = classifyError({ method, ...told })
  if (meaning === undefined) return error
  if (meaning === 'rate-limited')
    return new RateLimitResponse(told.text, readRetryAfter(told.retryAfter, now))
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

const isTooLarge = (error: unknown): boolean =>
  error instanceof BaseError && error.walk((inner) => inner instanceof AnswerTooLargeError) !== null

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
