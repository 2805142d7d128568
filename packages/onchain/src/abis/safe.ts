import { parseAbi } from 'viem'

/** Safe 1.4.1: set-up, owners, modules, messages. */
export const safeAbi = /* @__PURE__ */ parseAbi([
  'function setup(address[] _owners, uint256 _threshold, address to, bytes data, address fallbackHandler, address paymentToken, uint256 payment, address paymentReceiver)',
  'function nonce() view returns (uint256)',
  'function domainSeparator() view returns (bytes32)',

  'function getOwners() view returns (address[])',
  'function isOwner(address owner) view returns (bool)',
  'function getThreshold() view returns (uint256)',
  'function addOwnerWithThreshold(address owner, uint256 _threshold)',
  'function removeOwner(address prevOwner, address owner, uint256 _threshold)',
  'function swapOwner(address prevOwner, address oldOwner, address newOwner)',
  'function changeThreshold(uint256 _threshold)',

  'function enableModule(address module)',
  'function disableModule(address prevModule, address module)',
  'function isModuleEnabled(address module) view returns (bool)',
  'function getModulesPaginated(address start, uint256 pageSize) view returns (address[] array, address next)',
  'function execTransactionFromModule(address to, uint256 value, bytes data, uint8 operation) returns (bool success)',

  'function execTransaction(address to, uint256 value, bytes data, uint8 operation, uint256 safeTxGas, uint256 baseGas, uint256 gasPrice, address gasToken, address refundReceiver, bytes signatures) payable returns (bool success)',
  'function getTransactionHash(address to, uint256 value, bytes data, uint8 operation, uint256 safeTxGas, uint256 baseGas, uint256 gasPrice, address gasToken, address refundReceiver, uint256 _nonce) view returns (bytes32)',
  'function setFallbackHandler(address handler)',
  'function setGuard(address guard)',
  'function checkSignatures(bytes32 dataHash, bytes data, bytes signatures) view',
  'function getStorageAt(uint256 offset, uint256 length) view returns (bytes)',

  'event SafeSetup(address indexed initiator, address[] owners, uint256 threshold, address initializer, address fallbackHandler)',
  'event AddedOwner(address indexed owner)',
  'event RemovedOwner(address indexed owner)',
  'event EnabledModule(address indexed module)',
  'event DisabledModule(address indexed module)',
  'event ExecutionFromModuleSuccess(address indexed module)',
  'event ExecutionFromModuleFailure(address indexed module)',
  'event SafeReceived(address indexed sender, uint256 value)',
])

/** SafeProxyFactory 1.4.1. */
export const safeProxyFactoryAbi = /* @__PURE__ */ parseAbi([
  'function createProxyWithNonce(address _singleton, bytes initializer, uint256 saltNonce) returns (address proxy)',
  'function proxyCreationCode() pure returns (bytes)',
  'event ProxyCreation(address indexed proxy, address singleton)',
])

/**
 * MultiSend and MultiSendCallOnly 1.4.1.
 *
 * `transactions`: for each transaction, packed, `uint8 operation` (0 call, 1 delegatecall), `address to`,
 * `uint256 value`, `uint256 dataLength`, data. Must be delegatecalled.
 */
export const multiSendAbi = /* @__PURE__ */ parseAbi(['function multiSend(bytes transactions) payable'])
