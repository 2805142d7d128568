import { parseAbi } from 'viem'

/** SafeModuleSetup 0.3.0: github.com/safe-global/safe-modules, 4337-v0.3.0. */
export const safeModuleSetupAbi = parseAbi(['function enableModules(address[] modules)'])

/** Safe4337Module 0.3.0: github.com/safe-global/safe-modules, 4337-v0.3.0. */
export const safe4337ModuleAbi = parseAbi([
  'struct PackedUserOperation { address sender; uint256 nonce; bytes initCode; bytes callData; bytes32 accountGasLimits; uint256 preVerificationGas; bytes32 gasFees; bytes paymasterAndData; bytes signature; }',
  'function executeUserOp(address to, uint256 value, bytes data, uint8 operation)',
  'function executeUserOpWithErrorString(address to, uint256 value, bytes data, uint8 operation)',
  'function getOperationHash(PackedUserOperation userOp) view returns (bytes32)',
])

/** SafeWebAuthnSharedSigner 0.2.1: github.com/safe-global/safe-modules, passkey-v0.2.1. */
export const safeWebAuthnSharedSignerAbi = parseAbi([
  'struct Signer { uint256 x; uint256 y; uint176 verifiers; }',
  'function configure(Signer signer)',
  'function getConfiguration(address account) view returns (Signer)',
])

/** SafeWebAuthnSignerFactory 0.2.1: github.com/safe-global/safe-modules, passkey-v0.2.1. */
export const safeWebAuthnSignerFactoryAbi = parseAbi([
  'function createSigner(uint256 x, uint256 y, uint176 verifiers) returns (address signer)',
  'function getSigner(uint256 x, uint256 y, uint176 verifiers) view returns (address signer)',
])

/**
 * `isValidSignature`, which a Safe calls on an owner that is a contract (SafeWebAuthnSharedSigner,
 * SafeWebAuthnSignerProxy). The variant with `bytes32` is ERC-1271's.
 */
export const safeContractOwnerAbi = parseAbi([
  'function isValidSignature(bytes32 message, bytes signature) view returns (bytes4 magicValue)',
])
