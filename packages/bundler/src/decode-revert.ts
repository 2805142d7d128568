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
    return { reason: inWords(abiItem.name, args), signature, args }
  } catch {
    return { reason: unknownError(data) }
  }
}

function inWords(name: string, args: readonly unknown[]): string {
  const [first] = args
  if (name === 'Error') return explainSafeCode(shorten(String(first)))
  if (name === 'Panic') return panicCodes[String(first)] ?? `panic ${String(first)}`
  return shorten(`${name}(${args.map(String).join(', ')})`)
}

function explainSafeCode(reason: string): string {
  const explanation = safeCodes[reason]
  return explanation ? `${reason}: ${explanation}` : reason
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

/** Error codes of Safe 1.4.1 (safe-smart-account, docs/error_codes.md). */
const safeCodes: Readonly<Record<string, string>> = {
  GS000: 'could not finish initialization',
  GS001: 'the threshold is not set',
  GS002: 'the call to the initializer has no code behind it',
  GS010: 'not enough gas to execute the Safe transaction',
  GS011: 'could not pay the gas costs with ether',
  GS012: 'could not pay the gas costs with the token',
  GS013: 'the call failed',
  GS020: 'the signatures are too short',
  GS021: 'invalid contract signature location: inside the static part',
  GS022: 'invalid contract signature location: length not present',
  GS023: 'invalid contract signature location: data not complete',
  GS024: 'invalid contract signature',
  GS025: 'the hash was not approved',
  GS026: 'invalid owner',
  GS030: 'only owners can approve a hash',
  GS031: 'this method can only be called by the Safe itself',
  GS100: 'modules are already initialized',
  GS101: 'invalid module address',
  GS102: 'the module was already added',
  GS103: 'invalid pair of modules',
  GS104: 'this method can only be called from an enabled module',
  GS105: 'invalid starting point for fetching modules',
  GS106: 'invalid page size for fetching modules',
  GS200: 'owners are already set up',
  GS201: 'the threshold cannot exceed the number of owners',
  GS202: 'the threshold must be at least 1',
  GS203: 'invalid owner address',
  GS204: 'this address is already an owner',
  GS205: 'invalid pair of owners',
  GS300: 'the guard does not implement IERC165',
  GS400: 'the fallback handler cannot be the Safe itself',
}
