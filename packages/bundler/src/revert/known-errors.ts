import { parseAbi } from 'viem'

/**
 * Custom errors that an account's calls are likely to meet. Sources: EntryPoint v0.7 (IEntryPoint.sol), Safe4337Module
 * 0.3.0, OpenZeppelin Contracts 5 (draft-IERC6093.sol, Address, SafeERC20, Ownable, AccessControl, Pausable,
 * ReentrancyGuard, ERC20Permit).
 */
export const knownErrors = parseAbi([
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
