import { explainAccountError } from '@lanyard/accounts'
import { decodeErrorResult, type Hex, parseAbi, size, slice } from 'viem'

export interface DecodedRevert {
  /**
   * Human-readable: `ERC20InsufficientBalance(0x…, 0, 5)`, `GS026: invalid owner`,
   * `arithmetic overflow or underflow`.
   */
  readonly reason: string
  /** `Error(string)`, `ERC20InsufficientBalance(address,uint256,uint256)`, …; absent when unknown. */
  readonly signature?: string
  readonly args?: readonly unknown[]
}

/**
 * Custom errors that an account's calls are likely to meet. Sources: EntryPoint v0.7 (IEntryPoint.sol), Safe4337Module
 * 0.3.0, OpenZeppelin Contracts 5 (draft-IERC6093.sol, Address, SafeERC20, Ownable, AccessControl, Pausable,
 * ReentrancyGuard, ERC20Permit).
 */
const knownErrors = parseAbi([
  'error FailedOp(uint256 opIndex, string reason)',
  'error FailedOpWithRevert(uint256 opIndex, string reason, bytes inner)',
  'error PostOpReverted(bytes returnData)',
  'error SignatureValidationFailed(address aggregator)',
  'error SenderAddressResult(address sender)',
  'error DelegateAndRevert(bool success, bytes ret)',

  'error UnsupportedEntryPoint()',
  'error InvalidCaller()',
  'error InvalidEntryPoint()',
  'error ExecutionFailed()',
  'error UnsupportedExecutionFunction(bytes4 selector)',

  'error ERC20InsufficientBalance(address sender, uint256 balance, uint256 needed)',
  'error ERC20InvalidSender(address sender)',
  'error ERC20InvalidReceiver(address receiver)',
  'error ERC20InsufficientAllowance(address spender, uint256 allowance, uint256 needed)',
  'error ERC20InvalidApprover(address approver)',
  'error ERC20InvalidSpender(address spender)',
  'error ERC721InvalidOwner(address owner)',
  'error ERC721NonexistentToken(uint256 tokenId)',
  'error ERC721IncorrectOwner(address sender, uint256 tokenId, address owner)',
  'error ERC721InsufficientApproval(address operator, uint256 tokenId)',
  'error ERC1155InsufficientBalance(address sender, uint256 balance, uint256 needed, uint256 tokenId)',
  'error ERC1155MissingApprovalForAll(address operator, address owner)',

  'error AddressEmptyCode(address target)',
  'error FailedCall()',
  'error FailedInnerCall()',
  'error InsufficientBalance(uint256 balance, uint256 needed)',
  'error SafeERC20FailedOperation(address token)',
  'error OwnableUnauthorizedAccount(address account)',
  'error AccessControlUnauthorizedAccount(address account, bytes32 neededRole)',
  'error EnforcedPause()',
  'error ReentrancyGuardReentrantCall()',
  'error ERC2612ExpiredSignature(uint256 deadline)',
  'error ERC2612InvalidSigner(address signer, address owner)',
])

const builtInErrors = parseAbi(['error Error(string reason)', 'error Panic(uint256 code)'])
const abi = [...builtInErrors, ...knownErrors]

/** Longer reasons are truncated, because they come from untrusted contracts. Characters. */
const maxReasonLength = 500

/** Describes the revert data of a call in words. Never throws, because the data is untrusted. */
export function decodeRevert(data: Hex): DecodedRevert {
  if (size(data) === 0) return { reason: 'reverted without a reason (or ran out of gas)' }
  if (size(data) < 4) return { reason: `reverted with ${data}` }
  try {
    const { abiItem, args = [] } = decodeErrorResult({ abi, data })
    const signature = `${abiItem.name}(${abiItem.inputs.map(({ type }) => type).join(',')})`
    return { reason: describeRevert(abiItem.name, args), signature, args }
  } catch {
    return { reason: unknownError(data) }
  }
}

function describeRevert(name: string, args: readonly unknown[]): string {
  const [first] = args
  if (name === 'Error') return explainAccountError(shorten(String(first)))
  if (name === 'Panic') return panicCodes[String(first)] ?? `panic ${String(first)}`
  return shorten(`${name}(${args.map(String).join(', ')})`)
}

function unknownError(data: Hex): string {
  const selector = slice(data, 0, 4)
  return size(data) === 4 ? `custom error ${selector}` : shorten(`custom error ${selector} with ${data}`)
}

const shorten = (text: string) =>
  text.length > maxReasonLength ? `${text.slice(0, maxReasonLength)}…` : text

/** Solidity's `Panic(uint256)` codes (Solidity documentation, "Panic via assert and Error via require"). */
const panicCodes: Readonly<Record<string, string>> = {
  '0': 'generic compiler panic',
  '1': 'assertion failed',
  '17': 'arithmetic overflow or underflow',
  '18': 'division or modulo by zero',
  '33': 'conversion to an enum that has no such value',
  '34': 'storage byte array that is incorrectly encoded',
  '49': 'pop of an empty array',
  '50': 'array index out of bounds',
  '65': 'too much memory was allocated',
  '81': 'call to a zero-initialized internal function',
}
