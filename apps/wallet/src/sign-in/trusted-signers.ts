import { type AccountOwner, toOwner } from '@lanyard/accounts'
import { signerId } from '@lanyard/smart-balance'
import { useQuery } from '@tanstack/react-query'
import type { Address } from 'viem'
import { trpc } from '../api/trpc.ts'
import { fetchNetworks } from '../networks/use-networks.ts'
import { knownPasskey } from './known-passkey.ts'
import { verifyRecoveryKit } from './recovery-kit.ts'
import { useSession } from './session-context.tsx'

/**
 * Owners whose key this device can verify: the first one, since the account's address follows from it, and
 * passkeys created in this browser. Only these may be pinned when the service proposes it, since a pinned key
 * can sign deposits away.
 *
 * @throws WalletError KIT_DIFFERS, FOREIGN_MODULE; errors of the service
 */
export async function fetchTrustedSigners(
  account: Address,
  signal: AbortSignal,
): Promise<readonly AccountOwner[]> {
  const [kit, { networks }] = await Promise.all([
    trpc.owner.recoveryKit.query({ walletAddress: account }, { signal }),
    trpc.owner.list.query({ walletAddress: account }, { signal }),
  ])
  const first = await verifyRecoveryKit(kit, account, () => fetchNetworks({ signal }))
  const credentialIds = new Set(
    networks.flatMap(({ owners = [] }) => owners.flatMap(({ credentialId }) => credentialId ?? [])),
  )
  const made = [...credentialIds].flatMap((credentialId): AccountOwner[] => {
    const key = knownPasskey(credentialId)
    return key ? [toOwner(key)] : []
  })
  return [first, ...made]
}

/** The pins (`signerId`) of owners that this device can verify. */
export function useTrustedSigners() {
  const { account } = useSession()
  return useQuery({
    // The key starts with "owners", so that a change of owners invalidates it.
    queryKey: ['owners', account, 'signers'],
    queryFn: async ({ signal }) => (await fetchTrustedSigners(account, signal)).map(signerId),
  })
}
