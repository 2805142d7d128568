import type { EndpointDeclaration } from '@lanyard/contracts'

/** True where an Idempotency-Key makes retries answer the same. */
export const takesIdempotencyKey = (declaration: EndpointDeclaration): boolean =>
  declaration.method === 'POST' && declaration.idempotency === 'keyed'
