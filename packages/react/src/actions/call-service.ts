import { isUnreachable, LanyardReactError } from '../react-error.ts'

/** An answer of the service; silence is UNREACHABLE. For what may be asked again without harm. */
export async function callService<Answer>(answer: Promise<Answer>): Promise<Answer> {
  try {
    return await answer
  } catch (cause) {
    if (isUnreachable(cause)) throw new LanyardReactError('UNREACHABLE', { cause })
    throw cause
  }
}
