import { explainRefusal } from '@lanyard/session-keys'
import type { RevertDecoder } from '../operations/operation-features.ts'

/** SessionKeys refuses grants of the owner, too. */
export const decodeSessionRevert: RevertDecoder = (revertData) => {
  const refusal = explainRefusal(revertData)
  if (!refusal) return undefined
  return refusal.reason === undefined
    ? { message: refusal.message.replace(/\.$/, '') }
    : { inner: refusal.reason }
}
