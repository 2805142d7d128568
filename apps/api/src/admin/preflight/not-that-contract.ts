import { LanyardError } from '@lanyard/contracts'
import { BaseError } from 'viem'

/** viem's errors, by name, since not all are exported: a revert, no data, or data that decodes to nothing of the kind. */
const answersOfOthers: readonly string[] = [
  'ContractFunctionRevertedError',
  'ContractFunctionZeroDataError',
  'AbiDecodingZeroDataError',
  'AbiDecodingDataSizeTooSmallError',
  'IntegerOutOfRangeError',
  'InvalidAddressError',
  'InvalidBytesBooleanError',
  'NegativeOffsetError',
  'PositionOutOfBoundsError',
  'RecursiveReadLimitExceededError',
  'SliceOffsetOutOfBoundsError',
]

/** Whether something answered, and not as the contract would that was asked; a node that fails is no such answer. */
function isNotThatContract(error: unknown): boolean {
  const cause = error instanceof LanyardError ? error.cause : error
  if (!(cause instanceof BaseError)) return false
  return cause.walk((inner) => inner instanceof Error && answersOfOthers.includes(inner.name)) !== null
}

/** The answer; undefined where the contract is another one. */
export async function unlessOther<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading
  } catch (error) {
    if (isNotThatContract(error)) return undefined
    throw error
  }
}
