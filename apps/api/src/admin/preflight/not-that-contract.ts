import { LanyardError } from '@lanyard/contracts'
import { BaseError } from 'viem'

/** Names of viem errors, since not all are exported: a revert, no data, or data that does not decode. */
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

/**
 * Whether an answer arrived that the expected contract would not give; a failing node does not count as an
 * answer.
 */
function isNotThatContract(error: unknown): boolean {
  const cause = error instanceof LanyardError ? error.cause : error
  if (!(cause instanceof BaseError)) return false
  return cause.walk((inner) => inner instanceof Error && answersOfOthers.includes(inner.name)) !== null
}

/** The answer; undefined when the contract is a different one. */
export async function ifContractMatches<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading
  } catch (error) {
    if (isNotThatContract(error)) return undefined
    throw error
  }
}
