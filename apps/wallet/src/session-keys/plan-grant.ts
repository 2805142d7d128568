import type { Call } from '@lanyard/accounts'
import type { Permission, SessionKey, Session as SessionLimits } from '@lanyard/session-keys'
import { type Address, numberToHex } from 'viem'
import { trpc } from '../api/trpc.ts'
import { toCall } from '../calls/to-call.ts'
import { requireKnownContract } from './require-known-contract.ts'
import type { SessionKeysNetwork } from './session-keys-network.ts'
import { verifyGrant } from './verify-grant.ts'

/** A session that the person wants to grant. */
export interface GrantRequest {
  readonly key: SessionKey
  readonly permissions: readonly Permission[]
  /** The limits compiled on this device from the permissions. */
  readonly session: SessionLimits
}

/**
 * The calls that grant a session, planned by the service, which knows whether the account already has the
 * contract.
 *
 * @throws WalletError FOREIGN_CONTRACT, CALLS_DIFFER; errors of the service
 */
export async function planGrant(
  account: Address,
  network: SessionKeysNetwork,
  { key, permissions, session }: GrantRequest,
  signal: AbortSignal,
): Promise<readonly Call[]> {
  requireKnownContract(network)
  const { transactionDetails } = await trpc.sessionKey.enable.mutate(
    {
      network: network.chainId,
      walletAddress: account,
      sessionKey: typeof key === 'string' ? key : { x: numberToHex(key.x), y: numberToHex(key.y) },
      validAfter: session.validAfter,
      validUntil: session.validUntil,
      permissions: permissions.map(toWire),
    },
    { signal },
  )
  return verifyGrant(transactionDetails.map(toCall), {
    account,
    sessionKeys: network.sessionKeys,
    key,
    session,
  })
}

/** The permission with mutable arrays, as the schemas require. */
function toWire(permission: Permission) {
  switch (permission.type) {
    case 'contract-call':
      return { ...permission, functions: [...permission.functions] }
    case 'gas-fee-allowance':
      return permission
    case 'native-token-allowance':
    case 'erc20-token-allowance': {
      const { to, ...rest } = permission
      return to === undefined ? rest : { ...rest, to: [...to] }
    }
  }
}
