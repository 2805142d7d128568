import type { OperationRow } from '@lanyard/database'
import type { Hex } from 'viem'
import { currentMeter } from '../../../platform/load/current-meter.ts'
import { bytesOfBuild } from '../prepare/bytes-of-build.ts'

/**
 * Reserves space for an operation that the caller signs now. Signed operations are kept forever. One that is included
 * has paid gas for it; any other takes the caller's space.
 *
 * @returns a function that ends the reservation, to be called once with whether the row is kept without inclusion
 * @throws RATE_LIMITED when the caller's signed operations take too much space
 */
export function reserveForSigned({
  state,
  user_op,
}: Pick<OperationRow, 'state' | 'user_op'>): (isKept: boolean) => void {
  if (state !== 'built') return () => {}
  const { callData } = user_op as { readonly callData: Hex } // the service's own JSON form
  const bytes = bytesOfBuild([callData])
  const space = currentMeter()?.reserveSpace('signed', bytes)
  return (isKept) => (isKept ? space?.charge(bytes) : space?.release())
}
