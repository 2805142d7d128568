import type { LanyardError } from '@lanyard/contracts'
import { packText, unpackText } from './packed-text.ts'
import { ReplayedError, type StoredError } from './replayed-error.ts'

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
