import { calculatePreVerificationGas, type SignedUserOperation } from '@lanyard/accounts'

/**
 * On top of the exact costs, for what varies with the order of cold and warm accounts. Measured on anvil (Osaka) for
 * bundles of one: what operations are charged above what the transaction used was 343 to 2,946 gas without this, most
 * of it EntryPoint's penalty for unused call gas, which an operation that uses its limit does not pay. Units of gas.
 */
const margin = 500n

/**
 * preVerificationGas that leaves no relayer out of pocket. Estimation and delivery share it, so an estimated operation
 * is never refused for it: the real signature is at most as long as the stub.
 *
 * Every operation pays a whole transaction's base cost: it may well be alone in its bundle. Where EIP-7623's floor
 * counts, half of verificationGasLimit is taken as certainly used; the limit's margin is a tenth, and the floor for
 * chains without the P-256 precompile less than doubles it.
 */
export const requiredPreVerificationGas = (operation: SignedUserOperation): bigint =>
  calculatePreVerificationGas(operation, { verificationGasUsed: operation.verificationGasLimit / 2n }) +
  margin
