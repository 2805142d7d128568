import { calculatePreVerificationGas, type SignedUserOperation } from '@lanyard/accounts'

/**
 * preVerificationGas that leaves no relayer out of pocket. Estimation and delivery share it, so an estimated operation
 * is never refused for it: the real signature is at most as long as the stub.
 *
 * Where EIP-7623's floor counts, half of verificationGasLimit is taken as certainly used; the limit's margin is a tenth,
 * and the floor for chains without the P-256 precompile less than doubles it.
 */
export const requiredPreVerificationGas = (operation: SignedUserOperation): bigint =>
  calculatePreVerificationGas(operation, { verificationGasUsed: operation.verificationGasLimit / 2n })
