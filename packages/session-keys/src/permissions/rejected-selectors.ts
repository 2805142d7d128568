import { approvalFunctions, batchFunctions } from '@lanyard/onchain'
import { toFunctionSelector } from 'viem'

/**
 * Functions that no rule of kind `call` may name. The contract rejects the same functions: both lists have
 * one source.
 */
export const rejectedSelectors: ReadonlySet<string> = new Set(
  [approvalFunctions, batchFunctions].flatMap(Object.values).flat().map(toFunctionSelector),
)
