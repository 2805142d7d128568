import type { InputIssue } from '@lanyard/contracts'
import type { z } from 'zod'

/** More would only make the answer longer than the request. */
const maxIssues = 20

/** Zod's message for what is absent says "received undefined", which no caller sent. */
export const requiredMessage: z.core.$ZodErrorMap = ({ code, input }) =>
  code === 'invalid_type' && input === undefined ? 'Required' : undefined

/** Zod's issues as callers read them. */
export function toInputIssues(error: z.core.$ZodError): readonly InputIssue[] {
  return error.issues
    .slice(0, maxIssues)
    .map(({ path, message }) => ({ path: path.map(String).join('.'), message }))
}
