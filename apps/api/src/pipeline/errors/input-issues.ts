import type { InputIssue } from '@lanyard/contracts'
import type { z } from 'zod'

/** More would only make the answer longer than the request. */
const maxIssues = 20

/** What zod calls a value that is absent, by the kind of its schema. */
const missing: readonly string[] = ['invalid_type', 'invalid_union', 'invalid_value']

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  let value = input
  for (const name of path) value = Object(value)[name]
  return value
}

/**
 * Zod's issues as callers read them. What is absent is "Required": zod says "received undefined", which no caller sent,
 * and a schema's own words say what the value should look like.
 */
export function toInputIssues(error: z.core.$ZodError, input: unknown): readonly InputIssue[] {
  return error.issues.slice(0, maxIssues).map(({ code, path, message }) => ({
    path: path.map(String).join('.'),
    message: missing.includes(code) && valueAt(input, path) === undefined ? 'Required' : message,
  }))
}
