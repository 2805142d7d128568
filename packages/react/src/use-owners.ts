import { useAccount } from './use-account.ts'
import { useServiceQuery } from './use-service-query.ts'

/** Milliseconds between polls. Owners and guardians change rarely. */
const pollInterval = 60_000

/**
 * Who can sign for the signed-in account, by network: `{ networks: [{ network, status, deployed, owners }] }`. The service reads
 * it from the chains. Labels of passkeys need the token of `signIn`.
 */
export function useOwners() {
  const walletAddress = useAccount()?.address
  return useServiceQuery({
    key: ['owners', walletAddress],
    read: (client, options) => client.owner.list({ walletAddress: walletAddress ?? '' }, options),
    enabled: walletAddress !== undefined,
    pollInterval,
  })
}

/**
 * The guardians of the signed-in account, and on which networks each of them could sign a recovery today:
 * `{ networks: [{ network, current, next }], guardians: [{ guardian, kind, username, networks }] }`.
 */
export function useGuardians() {
  const account = useAccount()?.address
  return useServiceQuery({
    key: ['guardians', account],
    read: (client, options) => client.guardian.list({ account: account ?? '' }, options),
    enabled: account !== undefined,
    pollInterval,
  })
}
