import { type EndpointDeclaration, endpoints } from '@lanyard/contracts'

/**
 * Ceremonies: a key is accepted there and changes nothing. Their answers hold a user's token, or a challenge that
 * soon expires, and neither is kept in the database. They need no key either: a challenge is good for one answer, so
 * a second one is refused (VERIFICATION_FAILED), and a new message to sign costs nothing.
 */
const unkeyed: ReadonlySet<EndpointDeclaration> = new Set([
  endpoints.login.message,
  endpoints.login.verify,
  // Signatures over messages: computed anew from each request, and stored nowhere.
  endpoints.message.prepare,
  endpoints.message.finish,
  endpoints.message.check,
  endpoints.webauthn.messageOptions,
  endpoints.webauthn.messageVerify,
  endpoints.webauthn.authenticateVerify,
  endpoints.webauthn.credentialVerify,
  endpoints.webauthn.discoverVerify,
  endpoints.webauthn.registerVerify,
])

/** True where an Idempotency-Key makes retries answer the same. */
export const takesIdempotencyKey = (declaration: EndpointDeclaration): boolean =>
  declaration.method === 'POST' && !unkeyed.has(declaration)
