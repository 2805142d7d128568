import { verifyAuthorization } from '@lanyard/accounts'
import { LanyardError } from '@lanyard/contracts'
import type { OperationRow, StoredAuthorization } from '@lanyard/database'
import type { Network } from '@lanyard/networks'
import type { DelegatedWallet } from './delegated-wallet.ts'
import { readDelegationState } from './read-delegation-state.ts'

const refuse = (reason: string, message: string) =>
  new LanyardError('INVALID_AUTHORIZATION', { message, details: { reason } })

/**
 * The authorisation to send an operation with, verified. It is needed only while the account does not delegate to this
 * service's contract: later ones are ignored, since they would have no effect.
 *
 * @param row - the operation that is signed now
 * @throws INVALID_AUTHORIZATION with a `reason`, NETWORK_UNAVAILABLE, NETWORK_FAILED
 */
export async function requireAuthorization(
  network: Network,
  wallet: DelegatedWallet,
  { state, deploys }: Pick<OperationRow, 'state' | 'deploys'>,
  authorization: StoredAuthorization | undefined,
): Promise<StoredAuthorization | undefined> {
  if (state !== 'built' || !deploys) return undefined
  const current = await readDelegationState(network, wallet)
  if (!authorization) {
    if (current.state.kind === 'delegated') return undefined
    throw refuse(
      'MISSING',
      'The account does not delegate to the contract of this service yet. Send the signed `authorization` of the build, too.',
    )
  }
  const verified = await verifyAuthorization(
    authorization,
    { eoa: wallet.address, chainId: network.chainId },
    wallet.deployment,
  )
  if (!verified.ok) throw refuse(verified.code, verified.message)
  if (authorization.nonce === current.nonce) return authorization
  if (current.state.kind === 'delegated') return undefined
  throw refuse(
    'OTHER_NONCE',
    `The authorisation has the nonce ${authorization.nonce}, and the account's is ${current.nonce}: it has sent a transaction since, or before. Build again and sign both.`,
  )
}
