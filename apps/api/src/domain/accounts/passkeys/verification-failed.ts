import { LanyardError } from '@lanyard/contracts'

/** A ceremony that does not verify. The message says what is wrong; none of it helps to forge another. */
export const verificationFailed = (message: string, cause?: unknown): LanyardError =>
  new LanyardError('VERIFICATION_FAILED', {
    message: `The ceremony could not be verified: ${message}`,
    cause,
  })

/**
 * Runs a step of @simplewebauthn/server, which throws plain errors that say what did not verify. An error of the
 * engine (a TypeError on bytes that are no CBOR, say) says nothing to a caller.
 *
 * @throws VERIFICATION_FAILED
 */
export async function verifying<T>(step: () => T | Promise<T>): Promise<T> {
  try {
    return await step()
  } catch (error) {
    if (error instanceof LanyardError) throw error
    const told = error instanceof Error && error.constructor === Error && error.message.length < 300
    throw verificationFailed(told ? `${error.message}.` : 'the response is malformed.', error)
  }
}
