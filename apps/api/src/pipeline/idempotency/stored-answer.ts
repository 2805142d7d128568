import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { type ErrorCode, type InputIssue, LanyardError } from '@lanyard/contracts'

/** The stored parts of an error body. */
interface StoredError {
  readonly code: ErrorCode
  readonly message: string
  readonly issues?: readonly InputIssue[] | undefined
  readonly details: Readonly<Record<string, unknown>>
  readonly requestId: string
}

/** The error of an earlier request: its body names that request, whose log lines explain it. */
export class ReplayedError extends LanyardError {
  readonly requestId: string

  constructor({ code, message, issues, details, requestId }: StoredError) {
    super(code, { message, details, ...(issues && { issues }) })
    this.requestId = requestId
  }
}

type StoredAnswer = { readonly output: unknown } | { readonly error: StoredError }

const toText = (answer: StoredAnswer, input: unknown) => packText(JSON.stringify(answer), input)

/**
 * @param output - the result after the endpoint's output schema: strings and numbers, no bigint
 * @param input - of the call, parsed
 */
export const storeOutput = (output: unknown, input: unknown): string => toText({ output }, input)

/** The public side of an error; its cause stays in the log. */
export const storeError = (
  { code, message, issues, details }: LanyardError,
  requestId: string,
  input: unknown,
): string => toText({ error: { code, message, issues, details, requestId } }, input)

/**
 * The stored output.
 *
 * @throws ReplayedError when an error was stored
 */
export function replay(text: string, input: unknown): unknown {
  const answer: StoredAnswer = JSON.parse(unpackText(text, input)) // written by the functions above
  if ('error' in answer) throw new ReplayedError(answer.error)
  return answer.output
}

/** Characters from which on an answer is packed. */
const packFrom = 2_048

/** Shorter texts of a request are not worth a reference: an address has 40 digits. */
const minLength = 40

/** Maximum number of texts of a request that are looked for. */
const maxTexts = 256

/** JSON escapes this character, so it never occurs in an answer. */
const mark = '\u0001'

/** The first character of a packed text. JSON never begins with one of them. */
const forms = { marked: 'm', deflated: 'z' } as const

/**
 * Makes an answer short, so that it can be kept for a day. An answer repeats its request, call data above
 * all, and the caller sends the request again to get the answer. So what the request contains is replaced by
 * references, and what is then still long is compressed: calls of an operation are mostly zeros.
 */
export function packText(answer: string, request: unknown): string {
  if (answer.length <= packFrom) return answer
  const marked = textsOf(request).reduce(
    (text, found, index) => text.replaceAll(found, mark + index + mark),
    answer,
  )
  if (marked.length <= packFrom) return forms.marked + marked
  return forms.deflated + deflateRawSync(marked).toString('base64')
}

/** @param request - the same as when it was packed */
export function unpackText(packed: string, request: unknown): string {
  if (packed.startsWith(forms.marked)) return restore(packed.slice(1), request)
  if (!packed.startsWith(forms.deflated)) return packed
  return restore(inflateRawSync(Buffer.from(packed.slice(1), 'base64')).toString(), request)
}

function restore(marked: string, request: unknown): string {
  const texts = textsOf(request)
  return marked
    .split(mark)
    .map((part, index) => (index % 2 === 0 ? part : (texts[Number(part)] ?? '')))
    .join('')
}

/** The long texts of a request, hex without its prefix, longest first, in an order that depends only on them. */
function textsOf(request: unknown): readonly string[] {
  const texts = new Set<string>()
  const collect = (value: unknown): void => {
    if (typeof value === 'object' && value !== null)
      for (const member of Object.values(value)) collect(member)
    if (typeof value !== 'string') return
    const text = /^0x[\da-f]+$/i.test(value)
      ? value.slice(2).toLowerCase()
      : JSON.stringify(value).slice(1, -1)
    if (text.length >= minLength) texts.add(text)
  }
  collect(request)
  return [...texts].sort((a, b) => b.length - a.length || (a < b ? -1 : 1)).slice(0, maxTexts)
}
