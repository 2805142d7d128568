import { decodeRevert } from '@lanyard/bundler'
import { explainRefusal } from '@lanyard/session-keys'
import type { Hex } from 'viem'

/**
 * Describes in words why an operation or a call reverts, whoever signs it. SessionKeys refuses grants of the owner, too.
 * Like the reason of `decodeRevert`, the text ends without a full stop.
 */
export function describeRevert(revertData: Hex): string {
  const refusal = explainRefusal(revertData)
  if (refusal && refusal.reason === undefined) return refusal.message.replace(/\.$/, '')
  return decodeRevert(refusal?.reason ?? revertData).reason
}
