import { calculatePreVerificationGas, type SignedUserOperation } from '@lanyard/accounts'

/**
 * A margin on the exact costs, for variations with the order of cold and warm accounts. Measured on anvil
 * (Osaka) for bundles of one: without it, operations were charged 343 to 2,946 gas more than the transaction
 * used. Most of that is EntryPoint's penalty for unused call gas, which an operation that uses its limit does
 * not pay. Units of gas.
 */
const margin = 500n

/**
 * preVerificationGas at which a relayer never loses money. Estimation and delivery share it, so an estimated
 * operation is never rejected for it: the real signature is at most as long as the stub.
 *
 * Every operation pays a whole transaction's base cost, since it may be alone in its bundle. Where EIP-7623's
 * floor counts, half of verificationGasLimit is taken as certainly used: the limit's margin is a tenth, and
 * the minimum for chains without the P-256 precompile less than doubles it.
 */
export const requiredPreVerificationGas = (operation: SignedUserOperation): bigint =>
  calculatePreVerificationGas(operation, { verificationGasUsed: operation.verificationGasLimit / 2n }) +
  margin
