import { parseAbi } from 'viem'

/** The operation in EntryPoint v0.7's format; for ABIs of contracts that receive one. */
export const packedUserOperationStruct =
  'struct PackedUserOperation { address sender; uint256 nonce; bytes initCode; bytes callData; bytes32 accountGasLimits; uint256 preVerificationGas; bytes32 gasFees; bytes paymasterAndData; bytes signature; }'

/** ERC-4337 EntryPoint v0.7: the parts that accounts, bundlers and paymasters use. */
export const entryPointAbi = /* @__PURE__ */ parseAbi([
  packedUserOperationStruct,
  'struct DepositInfo { uint256 deposit; bool staked; uint112 stake; uint32 unstakeDelaySec; uint48 withdrawTime; }',

  'function handleOps(PackedUserOperation[] ops, address beneficiary)',
  'function getNonce(address sender, uint192 key) view returns (uint256 nonce)',
  'function incrementNonce(uint192 key)',
  'function getUserOpHash(PackedUserOperation userOp) view returns (bytes32)',
  'function balanceOf(address account) view returns (uint256)',
  'function getDepositInfo(address account) view returns (DepositInfo info)',
  'function depositTo(address account) payable',
  'function withdrawTo(address withdrawAddress, uint256 withdrawAmount)',
  'function addStake(uint32 unstakeDelaySec) payable',
  'function unlockStake()',
  'function withdrawStake(address withdrawAddress)',

  'event UserOperationEvent(bytes32 indexed userOpHash, address indexed sender, address indexed paymaster, uint256 nonce, bool success, uint256 actualGasCost, uint256 actualGasUsed)',
  'event AccountDeployed(bytes32 indexed userOpHash, address indexed sender, address factory, address paymaster)',
  'event UserOperationRevertReason(bytes32 indexed userOpHash, address indexed sender, uint256 nonce, bytes revertReason)',
  'event PostOpRevertReason(bytes32 indexed userOpHash, address indexed sender, uint256 nonce, bytes revertReason)',
  'event UserOperationPrefundTooLow(bytes32 indexed userOpHash, address indexed sender, uint256 nonce)',
  'event BeforeExecution()',
  'event Deposited(address indexed account, uint256 totalDeposit)',
  'event Withdrawn(address indexed account, address withdrawAddress, uint256 amount)',

  'error FailedOp(uint256 opIndex, string reason)',
  'error FailedOpWithRevert(uint256 opIndex, string reason, bytes inner)',
  'error PostOpReverted(bytes returnData)',
  'error SignatureValidationFailed(address aggregator)',
  'error SenderAddressResult(address sender)',
])
