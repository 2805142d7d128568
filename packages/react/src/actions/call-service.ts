import { isUnreachable, LanyardReactError } from '../react-error.ts'

/**
 * Awaits a response of the service. No response becomes UNREACHABLE. Use it for requests that are safe to
 * repeat.
 */
export async function callService<Answer>(answer: Promise<Answer>): Promise<Answer> {
  try {
    return await answer
  } catch (cause) {
    if (isUnreachable(cause)) throw new LanyardReactError('UNREACHABLE', { cause })
    throw cause
  }
}
