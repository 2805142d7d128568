import { approvalFunctions } from '@lanyard/onchain'
import { toFunctionSelector } from 'viem'

/**
 * Functions that no rule of kind `call` may name. The contract rejects the same functions: both lists have
 * one source.
 */
export const approvalSelectors: ReadonlySet<string> = new Set(
  Object.values(approvalFunctions).flat().map(toFunctionSelector),
)
