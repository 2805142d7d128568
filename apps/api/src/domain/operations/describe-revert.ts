import { decodeRevert } from '@lanyard/bundler'
import type { Hex } from 'viem'
import type { OperationFeatures } from './operation-features.ts'

/**
 * Describes in words why an operation or a call reverts, whoever signs it. Like the reason of `decodeRevert`, the
 * text ends without a full stop.
 */
export function describeRevert(
  { revertDecoders }: Pick<OperationFeatures, 'revertDecoders'>,
  revertData: Hex,
): string {
  for (const decode of revertDecoders) {
    const decoded = decode(revertData)
    if (!decoded) continue
    return 'message' in decoded ? decoded.message : decodeRevert(decoded.inner).reason
  }
  return decodeRevert(revertData).reason
}
