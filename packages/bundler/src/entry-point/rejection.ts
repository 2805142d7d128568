import { LanyardError } from '@lanyard/contracts'
import { aaCodes } from './aa-codes.ts'
import type { HandleOpsFailure } from './handle-ops-failure.ts'

/**
 * The error that a caller gets for a refusal of EntryPoint, with EntryPoint's own words as `details.reason`.
 */
export function rejection({ aaCode, reason, inner }: HandleOpsFailure): LanyardError {
  const innerReason = inner ? { innerReason: inner.reason } : {}
  if (!aaCode) {
    return new LanyardError('OPERATION_REFUSED', {
      message: `The entry point rejects this operation: ${reason}.`,
      details: { reason, ...innerReason },
    })
  }
  const { code, message } = aaCodes[aaCode]
  return new LanyardError(code, {
    message: inner ? `${message} Its reason: ${inner.reason}.` : message,
    details: { entryPointCode: aaCode, reason, ...innerReason },
  })
}
