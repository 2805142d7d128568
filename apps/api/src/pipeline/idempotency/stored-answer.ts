import type { LanyardError } from '@lanyard/contracts'
import { ReplayedError, type StoredError } from './replayed-error.ts'

type StoredAnswer = { readonly output: unknown } | { readonly error: StoredError }

const toText = (answer: StoredAnswer) => JSON.stringify(answer)

/** @param output - the result after the endpoint's output schema: strings and numbers, no bigint */
export const storeOutput = (output: unknown): string => toText({ output })

/** The public side of an error; its cause stays in the log. */
export const storeError = ({ code, message, issues, details }: LanyardError, requestId: string): string =>
  toText({ error: { code, message, issues, details, requestId } })

/**
 * The stored output.
 *
 * @throws ReplayedError when an error was stored
 */
export function replay(text: string): unknown {
  const answer: StoredAnswer = JSON.parse(text) // written by the functions above
  if ('error' in answer) throw new ReplayedError(answer.error)
  return answer.output
}
