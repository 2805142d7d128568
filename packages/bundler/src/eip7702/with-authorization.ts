import { delegatedDeployment, isDelegationInitCode, type SignedUserOperation } from '@lanyard/accounts'
import type { Network } from '@lanyard/networks'

/** The parts of an authorisation that only its signer knows. Bundlers do not verify them when they estimate. */
const unsigned = {
  r: '0xfffffffffffffffffffffffffffffff000000000000000000000000000000000',
  s: '0x7aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa',
  yParity: 1,
} as const

/**
 * An operation as a bundler can estimate it. One that delegates its sender is estimated before its authorisation is
 * signed, and without one the bundler finds a sender that has no code.
 *
 * @throws NETWORK_UNAVAILABLE, NETWORK_FAILED
 */
export async function withAuthorization(
  network: Pick<Network, 'call' | 'chainId'>,
  operation: SignedUserOperation,
): Promise<SignedUserOperation> {
  if (operation.authorization || !isDelegationInitCode(operation.initCode)) return operation
  const nonce = await network.call((client) => client.getTransactionCount({ address: operation.sender }))
  const { delegate: address } = delegatedDeployment
  return { ...operation, authorization: { chainId: network.chainId, address, nonce, ...unsigned } }
}
