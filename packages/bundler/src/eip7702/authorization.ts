import {
  delegatedDeployment,
  encodeDesignator,
  isDelegationInitCode,
  type SignedUserOperation,
} from '@lanyard/accounts'
import type { Network } from '@lanyard/networks'
import type { StateOverride } from 'viem'

/**
 * The sender runs its delegate's code before its authorisation exists. The simulator then measures the operation of a
 * sender with code: for EntryPoint v0.8 the marker changes only the hash, which stub signatures do not depend on.
 */
export const codeOfSender = ({
  initCode,
  authorization,
}: Pick<SignedUserOperation, 'initCode' | 'authorization'>) =>
  authorization || isDelegationInitCode(initCode)
    ? { code: encodeDesignator(authorization?.address ?? delegatedDeployment.delegate) }
    : {}

export const withoutMarker = <O extends Pick<SignedUserOperation, 'initCode'>>(operation: O): O =>
  isDelegationInitCode(operation.initCode) ? { ...operation, initCode: '0x' } : operation

/** What the authorisations of a transaction do before its call runs. */
export function codeOfSenders(operations: readonly SignedUserOperation[]): { stateOverride?: StateOverride } {
  const stateOverride = operations.flatMap(({ sender, authorization }) =>
    authorization ? [{ address: sender, code: encodeDesignator(authorization.address) }] : [],
  )
  return stateOverride.length > 0 ? { stateOverride } : {}
}

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
