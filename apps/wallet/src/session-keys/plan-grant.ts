import { type Call, sessionKeysDeploymentContext } from '@lanyard/accounts'
import { isSameCall } from '@lanyard/calls'
import { predictSessionKeysAddress } from '@lanyard/onchain'
import {
  encodeGrant,
  functionsOf,
  type Permission,
  type SessionKey,
  type Session as SessionLimits,
} from '@lanyard/session-keys'
import { type Address, isAddressEqual, numberToHex } from 'viem'
import { trpc } from '../api/trpc.ts'
import { useCancellableMutation } from '../api/use-cancellable-mutation.ts'
import { toCall } from '../calls/to-call.ts'
import { WalletError } from '../errors/wallet-error.ts'
import { rememberFunctions } from '../operation/known-functions.ts'
import { prepareOperation } from '../operation/prepare-operation.ts'
import { useSession } from '../sign-in/session-context.tsx'
import type { SessionKeysNetwork } from './use-sessions.ts'

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

/**
 * Verifies that the service's contract is the SessionKeys that this wallet knows. A grant makes it an owner
 * and a module of the account, so any other contract could take everything. Its address follows by CREATE2
 * from its code and from the contracts of an account.
 *
 * @throws WalletError FOREIGN_CONTRACT
 */
export function requireKnownContract({
  sessionKeys,
  smartBalance,
}: Pick<SessionKeysNetwork, 'sessionKeys' | 'smartBalance'>): void {
  const known = predictSessionKeysAddress(
    sessionKeysDeploymentContext({ smartBalance: smartBalance?.address }),
  )
  if (!isAddressEqual(sessionKeys, known)) throw new WalletError('FOREIGN_CONTRACT')
}

/** The expected grant. */
export interface ExpectedGrant {
  readonly account: Address
  readonly sessionKeys: Address
  readonly key: SessionKey
  /** The session as compiled on this device. */
  readonly session: SessionLimits
}

/**
 * Verifies byte for byte that the calls grant exactly this session to this key and do nothing else. Before
 * the first session, they also make the contract an owner and a module. Only the chain knows whether that is
 * still needed, and doing it twice reverts.
 *
 * @returns the calls to sign
 * @throws WalletError CALLS_DIFFER
 */
export function verifyGrant(calls: readonly Call[], expected: ExpectedGrant): readonly Call[] {
  const forms = [true, false].flatMap((isOwner) =>
    [true, false].map((isModule) => encodeGrant({ ...expected, isOwner, isModule })),
  )
  const form = forms.find(
    (candidate) =>
      candidate.length === calls.length && candidate.every((call, index) => isSameCall(calls[index], call)),
  )
  if (!form) throw new WalletError('CALLS_DIFFER')
  return form
}

/** Prepares a grant for review. Pass its `data` to `OperationReview`. */
export function useGrant() {
  const session = useSession()
  return useCancellableMutation({
    mutationFn: async (
      signal,
      { network, request }: { network: SessionKeysNetwork; request: GrantRequest },
    ) => {
      const calls = await planGrant(session.account, network, request, signal)
      rememberFunctions(functionsOf(request.permissions))
      return prepareOperation(session, network, calls, signal)
    },
  })
}
