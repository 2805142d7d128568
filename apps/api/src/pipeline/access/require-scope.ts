import { includesScope, type KeyScope, LanyardError, type NeededScope } from '@lanyard/contracts'
import type { RequestContext } from '../request-context.ts'

const limits: Readonly<Record<Exclude<KeyScope, 'full'>, string>> = {
  read: 'This key may only read.',
  support: 'This key may only read what a support desk needs.',
  metrics: 'This key is only for /metrics.',
}

/**
 * Rejects a key that is for less than what is needed, whatever else the request has.
 *
 * @throws FORBIDDEN
 */
export function requireScope({ apiKey }: Pick<RequestContext, 'apiKey'>, needed: NeededScope = 'full'): void {
  const scope = apiKey?.scope ?? 'full'
  if (scope === 'full' || includesScope(scope, needed)) return
  throw new LanyardError('FORBIDDEN', {
    message: `${limits[scope]} The operator makes keys with other scopes: \`lanyard keys create --scope\`.`,
  })
}
