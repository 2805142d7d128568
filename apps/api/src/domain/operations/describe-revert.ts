import { decodeRevert } from '@lanyard/bundler'
import { explainRefusal } from '@lanyard/session-keys'
import type { Hex } from 'viem'

/** Describes in words why an operation reverted on chain, for every kind of signer. */
export function describeRevert(revertData: Hex): string {
  const refusal = explainRefusal(revertData)
  if (refusal && refusal.reason === undefined) return refusal.message
  return decodeRevert(refusal?.reason ?? revertData).reason
}
