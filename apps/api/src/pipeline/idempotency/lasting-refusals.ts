import type { ErrorCode } from '@lanyard/contracts'

/**
 * Refusals that the same request would meet for ever, and that are therefore replayed. All others depend on what
 * changes (a balance, a fee, a lane that is busy, an RPC that is down): a retry finds out anew, which is safe, since
 * whoever was refused changed nothing. That goes for REBUILD, too: a node may just have been behind, and what was dropped
 * may yet be included; where it is final, the retry is told so again.
 */
const lasting: ReadonlySet<ErrorCode> = new Set([
  'NOTHING_TO_DO',
  'SIGNATURE_OVER_TEXT',
  'SIGNATURE_COMPACT',
  'SIGNATURE_MALLEABLE',
  'UNSUPPORTED_SIGNATURE_TYPE',
  'NOT_REPLACEABLE',
])

export const isLasting = (code: ErrorCode): boolean => lasting.has(code)
