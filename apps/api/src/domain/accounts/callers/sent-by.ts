import { callerOf } from './caller.ts'
import type { CallerContext } from './caller-context.ts'

/**
 * Marks an operation with who sends it: the API key of a server, otherwise the address. It is kept until the
 * operation is final, so that a caller answers for gas that relayers lose.
 */
export function sentBy<R extends object>(
  context: Pick<CallerContext, 'apiKey' | 'address'>,
  row: R,
): R & { readonly sent_by: string } {
  const { kind, name } = callerOf(context)
  return { ...row, sent_by: `${kind}:${name}` }
}
