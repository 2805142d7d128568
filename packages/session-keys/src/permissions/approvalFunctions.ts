import { toFunctionSelector } from 'viem'

/**
 * Functions that give somebody power over tokens. The contract refuses rules for them that no allowance counts
 * (TokenCall.sol, `isApproval`).
 */
const approvalFunctions = [
  'approve(address,uint256)',
  'increaseAllowance(address,uint256)',
  'increaseApproval(address,uint256)',
  'permit(address,address,uint256,uint256,uint8,bytes32,bytes32)',
  'permit(address,address,uint256,uint256,bytes)',
  'permit(address,address,uint256,uint256,bool,uint8,bytes32,bytes32)',
  'approveAndCall(address,uint256)',
  'approveAndCall(address,uint256,bytes)',
  'setApprovalForAll(address,bool)',
  'authorizeOperator(address)',
  'approve(address,address,uint160,uint48)',
  'permit(address,((address,uint160,uint48,uint48),address,uint256),bytes)',
  'permit(address,((address,uint160,uint48,uint48)[],address,uint256),bytes)',
  'approveDelegation(address,uint256)',
] as const

export const approvalSelectors: ReadonlySet<string> = new Set(approvalFunctions.map(toFunctionSelector))
