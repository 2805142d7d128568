import type { InputIssue } from '@lanyard/contracts'
import type { z } from 'zod'

/** More issues would only make the answer longer than the request. */
const maxIssues = 20

/** zod's codes for an absent value, depending on the kind of its schema. */
const missing: readonly string[] = ['invalid_type', 'invalid_union', 'invalid_value']

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  let value = input
  for (const name of path) value = Object(value)[name]
  return value
}

/**
 * Converts zod's issues for callers. An absent value is "Required": zod says "received undefined", which no
 * caller sent. The schema's own message describes the expected value.
 */
export function toInputIssues(error: z.core.$ZodError, input: unknown): readonly InputIssue[] {
  return error.issues.slice(0, maxIssues).map(({ code, path, message }) => ({
    path: path.map(String).join('.'),
    message: missing.includes(code) && valueAt(input, path) === undefined ? 'Required' : message,
  }))
}
