import { createHash } from 'node:crypto'
import { callerOf } from './caller.ts'
import type { CallerContext } from './caller-context.ts'

/**
 * Who asks, for budgets that no number of free accounts may stretch: a caller's address, whatever accounts and
 * tokens it has. A server with a secret key asks for its users, so each account counts by itself.
 *
 * @returns a hash, because rows keep it for as long as their budgets
 */
export function budgetCallerOf(context: Pick<CallerContext, 'apiKey' | 'address'>, account: string): string {
  const { kind, name } = callerOf(context)
  const caller = kind === 'key' ? `key:${name} ${account.toLowerCase()}` : `address:${name}`
  return createHash('sha256').update(caller).digest('hex').slice(0, 32)
}
