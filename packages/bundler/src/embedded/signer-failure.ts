import { LanyardError } from '@lanyard/contracts'

/** Whether a key that is elsewhere could not be used. Nothing was sent then. */
export const isSignerFailure = (error: unknown): error is LanyardError =>
  error instanceof LanyardError && (error.code === 'SIGNER_UNAVAILABLE' || error.code === 'SIGNER_FAILED')
