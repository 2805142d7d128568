import { LanyardError } from '@lanyard/contracts'

/**
 * A ceremony that fails verification. The message names the cause; it does not help to forge another
 * response.
 */
export const verificationFailed = (message: string, cause?: unknown): LanyardError =>
  new LanyardError('VERIFICATION_FAILED', {
    message: `The ceremony could not be verified: ${message}`,
    cause,
  })

/**
 * Runs a step of @simplewebauthn/server, which throws plain errors that name the failed check. An error of
 * the JavaScript engine (for example, a TypeError on bytes that are not CBOR) is not passed to the caller.
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
