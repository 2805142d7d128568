import type { EndpointDeclaration } from '@lanyard/contracts'

/** True when an Idempotency-Key makes retries return the same answer. */
export const takesIdempotencyKey = (declaration: EndpointDeclaration): boolean =>
  declaration.method === 'POST' && declaration.idempotency === 'keyed'
