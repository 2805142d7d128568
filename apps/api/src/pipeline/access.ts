import {
  type EndpointDeclaration,
  type endpoints,
  includesScope,
  type KeyScope,
  LanyardError,
  type NeededScope,
} from '@lanyard/contracts'
import { keyMissing } from '../domain/accounts/api-keys/api-key.ts'
import { requireReader, requireUser } from '../domain/accounts/callers/caller.ts'
import type { RequestContext } from './request-context.ts'

type Table = typeof endpoints

/** `noun.verb` of every declared endpoint: the path of its tRPC procedure. */
export type EndpointName = {
  [Noun in keyof Table & string]: `${Noun}.${keyof Table[Noun] & string}`
}[keyof Table & string]

/** The access of an endpoint's callers, from its declaration. */
export type AccessOf<Name extends EndpointName> =
  Name extends `${infer Noun extends keyof Table & string}.${infer Verb}`
    ? Table[Noun][Verb & keyof Table[Noun]] extends { readonly access: infer A }
      ? A
      : never
    : never

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

/**
 * Rejects a call that the endpoint's declaration does not allow to its caller, regardless of its input. Every
 * procedure begins with it, so it applies to both transports and to each call of a batch.
 *
 * @throws UNAUTHORIZED, FORBIDDEN
 */
export async function requireAccess(
  { access, scope }: Pick<EndpointDeclaration, 'access' | 'scope'>,
  context: RequestContext,
): Promise<void> {
  const { apiKey, services } = context
  if (apiKey === undefined && access.anonymous === 'needsKey' && (await services.apiKeys.needed())) {
    throw keyMissing()
  }
  if (access.anonymous !== 'allowed') requireScope(context, scope)
  const verdict = access[apiKey?.kind ?? 'publishable']
  if (verdict === 'needsToken') {
    await (includesScope('read', scope ?? 'full') ? requireReader : requireUser)(context)
  }
}
