import { type AbiFunction, type Hex, parseAbi, toFunctionSelector } from 'viem'

/** Functions of any contract that let somebody else take tokens: ERC-20, ERC-721, ERC-1155, Permit2. */
export const allowanceAbi = parseAbi([
  'function approve(address spender, uint256 amount)',
  'function increaseAllowance(address spender, uint256 amount)',
  'function setApprovalForAll(address operator, bool approved)',
  'function approve(address token, address spender, uint160 amount, uint48 expiration)',
])

/** The allowance function that a call uses, so that its arguments can be shown. */
export const findAllowanceFunction = (data: Hex): AbiFunction | undefined =>
  allowanceAbi.find((candidate) => data.toLowerCase().startsWith(toFunctionSelector(candidate)))
