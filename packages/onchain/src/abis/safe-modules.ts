import { parseAbi } from 'viem'
import { packedUserOperationStruct } from './entry-point.ts'

/** Safe4337Module 0.3.0: called through the Safe, whose module and fallback handler it is. */
export const safe4337ModuleAbi = /* @__PURE__ */ parseAbi([
  packedUserOperationStruct,
  'function validateUserOp(PackedUserOperation userOp, bytes32, uint256 missingAccountFunds) returns (uint256 validationData)',
  'function executeUserOp(address to, uint256 value, bytes data, uint8 operation)',
  'function executeUserOpWithErrorString(address to, uint256 value, bytes data, uint8 operation)',
  'function getOperationHash(PackedUserOperation userOp) view returns (bytes32 operationHash)',
  'function domainSeparator() view returns (bytes32 domainSeparatorHash)',
  'function SUPPORTED_ENTRYPOINT() view returns (address)',
  'function getMessageHashForSafe(address safe, bytes message) view returns (bytes32)',
  'function isValidSignature(bytes32 _dataHash, bytes _signature) view returns (bytes4)',
  'error ExecutionFailed()',
  'error InvalidCaller()',
  'error InvalidEntryPoint()',
  'error UnsupportedEntryPoint()',
  'error UnsupportedExecutionFunction(bytes4 selector)',
])

/** SafeModuleSetup 0.3.0, delegatecalled by a Safe's setup. */
export const safeModuleSetupAbi = /* @__PURE__ */ parseAbi(['function enableModules(address[] modules)'])

/**
 * SafeWebAuthnSharedSigner 0.2.1: one signer contract for all Safes, with the key in the Safe's own storage.
 */
export const safeWebAuthnSharedSignerAbi = /* @__PURE__ */ parseAbi([
  'struct Signer { uint256 x; uint256 y; uint176 verifiers; }',
  'function configure(Signer signer)',
  'function getConfiguration(address account) view returns (Signer signer)',
  'function isValidSignature(bytes32 message, bytes signature) view returns (bytes4 magicValue)',
  'function SIGNER_SLOT() view returns (uint256)',
  'error NotDelegateCalled()',
])

/**
 * SafeWebAuthnSignerFactory 0.2.1: one signer proxy for each key, for further owners.
 *
 * It omits the event `Created`. Its signer is indexed in 0.2.1, but not in 0.2.0 of npm, which local networks
 * run, so nothing should read it. Use `getSigner` instead.
 */
export const safeWebAuthnSignerFactoryAbi = /* @__PURE__ */ parseAbi([
  'function getSigner(uint256 x, uint256 y, uint176 verifiers) view returns (address signer)',
  'function createSigner(uint256 x, uint256 y, uint176 verifiers) returns (address signer)',
  'function isValidSignatureForSigner(bytes32 message, bytes signature, uint256 x, uint256 y, uint176 verifiers) view returns (bytes4 magicValue)',
  'function SINGLETON() view returns (address)',
])
