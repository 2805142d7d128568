/* Exports for the tests of other packages. */

export { startChain } from './entry-point.ts'
export { safePasskeySigner } from './safe-passkey-signer.ts'
export { SoftwareAuthenticator } from './software-authenticator.ts'
export { webAuthnAccountOf } from './web-authn-account.ts'
