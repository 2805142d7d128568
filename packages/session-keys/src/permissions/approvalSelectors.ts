import { approvalFunctions } from '@lanyard/onchain'
import { toFunctionSelector } from 'viem'

/** Functions that no rule of kind `call` may name. The contract refuses the same ones: both come from one list. */
export const approvalSelectors: ReadonlySet<string> = new Set(
  Object.values(approvalFunctions).flat().map(toFunctionSelector),
)
