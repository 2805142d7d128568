import { type EndpointDeclaration, LanyardError } from '@lanyard/contracts'

/** True when an Idempotency-Key makes retries return the same answer. */
export const takesIdempotencyKey = (declaration: EndpointDeclaration): boolean =>
  declaration.method === 'POST' && declaration.idempotency === 'keyed'

/** As in draft-ietf-httpapi-idempotency-key-header; a key is used unchanged, quoted or not. */
export const idempotencyKeyHeader = 'Idempotency-Key'

/** Visible ASCII characters, no spaces (a repeated header arrives joined by ", "). */
export const idempotencyKeyPattern = /^[\x21-\x7e]{1,255}$/

/** @throws INVALID_INPUT that names the header */
export function requireIdempotencyKey(key: string): void {
  if (!idempotencyKeyPattern.test(key)) throw invalidKey('Expected 1 to 255 visible ASCII characters')
}

/**
 * A batch must not have a key: which calls a client batches depends on timing, so neither the key alone nor
 * the key with a call's position would name the same call in a retry.
 *
 * @throws INVALID_INPUT that names the header
 */
export function requireSingleCall(calls: number): void {
  if (calls > 1) throw invalidKey('A key belongs to one call: send calls with a key without batching')
}

const invalidKey = (message: string) =>
  new LanyardError('INVALID_INPUT', { issues: [{ path: idempotencyKeyHeader, message }] })
