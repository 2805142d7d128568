import { explainRefusal } from '@lanyard/session-keys'
import type { RevertDecoder } from '../operations/dependencies.ts'

/** SessionKeys refuses grants of the owner, too. */
export const decodeSessionRevert: RevertDecoder = (revertData) => {
  const rejection = explainRefusal(revertData)
  if (!rejection) return undefined
  return rejection.reason === undefined
    ? { message: rejection.message.replace(/\.$/, '') }
    : { inner: rejection.reason }
}
