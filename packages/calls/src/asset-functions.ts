import { approvalFunctions, batchFunctions } from '@lanyard/onchain'
import { type AbiFunction, type Hex, parseAbi, parseAbiItem, toFunctionSelector } from 'viem'

/** What a function can do with assets of the account that calls it. */
export interface AssetFunction {
  readonly abi: AbiFunction
  /**
   * - `amount`: lets somebody else take up to an amount, which is its first integer
   * - `power`: gives somebody else power over assets; a call whose booleans are all false takes it back
   * - `move`: moves tokens or NFTs
   * - `batch`: runs calls that are in its arguments as bytes, each of which could do any of these
   */
  readonly effect: 'amount' | 'power' | 'move' | 'batch'
}

/** Functions that allow an amount. The names of their parameters are shown before signing. */
const amounts = parseAbi([
  'function approve(address spender, uint256 amount)',
  'function increaseAllowance(address spender, uint256 amount)',
  'function increaseApproval(address spender, uint256 amount)',
  'function approveDelegation(address delegatee, uint256 amount)',
  'function approve(address token, address spender, uint160 amount, uint48 expiration)',
])

/** Functions in common use that give power. The others of the shared list have no names for parameters. */
const powers = parseAbi([
  'function setApprovalForAll(address operator, bool approved)',
  'function setOperator(address operator, bool approved)',
  'function setAuthorization(address authorized, bool isAuthorized)',
  'function authorizeOperator(address operator)',
  'function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)',
])

/** Functions of ERC-20, ERC-721, ERC-1155 and ERC-6909 that move an account's tokens. */
const moves = parseAbi([
  'function transfer(address to, uint256 amount)',
  'function transferFrom(address from, address to, uint256 amountOrId)',
  'function safeTransferFrom(address from, address to, uint256 id)',
  'function safeTransferFrom(address from, address to, uint256 id, bytes data)',
  'function safeTransferFrom(address from, address to, uint256 id, uint256 amount, bytes data)',
  'function safeBatchTransferFrom(address from, address to, uint256[] ids, uint256[] amounts, bytes data)',
  'function transfer(address to, uint256 id, uint256 amount)',
  'function transferFrom(address from, address to, uint256 id, uint256 amount)',
])

/** The contracts' own lists: no session key may call these functions. Their test parses each signature. */
const listed = (lists: Record<string, readonly string[]>) =>
  Object.values(lists)
    .flat()
    .map((signature) => parseAbiItem(`function ${signature}` as string) as AbiFunction)

/** By selector. An entry replaces earlier ones, so that parameters with names win. */
const bySelector: ReadonlyMap<string, AssetFunction> = new Map(
  [
    ...listed(batchFunctions).map((abi) => ({ abi, effect: 'batch' }) as const),
    ...listed(approvalFunctions).map((abi) => ({ abi, effect: 'power' }) as const),
    ...powers.map((abi) => ({ abi, effect: 'power' }) as const),
    ...amounts.map((abi) => ({ abi, effect: 'amount' }) as const),
    ...moves.map((abi) => ({ abi, effect: 'move' }) as const),
  ].map((known) => [toFunctionSelector(known.abi), known]),
)

/** The function of a call, or of a selector. Undefined if it does nothing with assets that this wallet knows. */
export const findAssetFunction = (data: Hex): AssetFunction | undefined =>
  bySelector.get(data.slice(0, 10).toLowerCase())
