/* For the tests of other packages. */
export { startChain } from './entry-point.ts'
export { SoftwareAuthenticator } from './software-authenticator.ts'
export { webAuthnAccountOf } from './web-authn-account.ts'
