/** Single endpoints, for code that runs in browsers: a page that imports `endpoints` loads all of them, 20 kB gzip. */
export { prepare as prepareOwnershipChange } from './ownership/prepare.ts'
export { prepare as prepareRecovery } from './recovery/prepare.ts'
export { enable as enableSessionKey } from './session-key/enable.ts'
export { build as buildOperation } from './smart-account/build.ts'
