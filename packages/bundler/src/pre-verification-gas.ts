import {
  calculatePreVerificationGas,
  ethereumPreVerificationGas,
  type SignedUserOperation,
} from '@lanyard/accounts'
import type { Network } from '@lanyard/networks'
import { isAddressEqual, size, slice } from 'viem'

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

/** A transaction's base cost, units of gas. */
export const transactionGas = ethereumPreVerificationGas.transactionGas

/**
 * What our relayer requires: {@link requiredPreVerificationGas}, without a transaction's base cost if our own
 * SmartBalance pays. Whoever sends several sponsored operations in one transaction would keep what that saves, and
 * nothing on chain binds them to our relayer. So the relayer bears the base cost. Both belong to the operator:
 * budgets of policies count it (`sponsorships.relayer_gas`), and a refill replaces it.
 */
export const leastPreVerificationGas = (
  network: Pick<Network, 'config'>,
  operation: SignedUserOperation,
): bigint => requiredPreVerificationGas(operation) - relayerShare(network, operation)

/** The gas of an operation that our relayer bears, see {@link leastPreVerificationGas}. */
export function relayerShare(
  { config: { smartBalance } }: Pick<Network, 'config'>,
  { paymasterAndData }: Pick<SignedUserOperation, 'paymasterAndData'>,
): bigint {
  if (!smartBalance || size(paymasterAndData) < 20) return 0n
  return isAddressEqual(slice(paymasterAndData, 0, 20), smartBalance) ? transactionGas : 0n
}
