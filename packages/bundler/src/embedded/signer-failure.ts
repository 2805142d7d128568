import { LanyardError } from '@lanyard/contracts'

/** Whether a remote key could not be used. In that case nothing was sent. */
export const isSignerFailure = (error: unknown): error is LanyardError =>
  error instanceof LanyardError && (error.code === 'SIGNER_UNAVAILABLE' || error.code === 'SIGNER_FAILED')
