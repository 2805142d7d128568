import { LanyardError } from '@lanyard/contracts'
import type { Database } from '@lanyard/database'
import type { Networks } from '@lanyard/networks'
import type { Kysely } from 'kysely'
import type { Address } from 'viem'
import type { Wallet } from '../../accounts/accounts/safe-kind.ts'
import { onEachNetwork } from '../../accounts/owners/read-owners.ts'
import { readOwnership } from './read-ownership.ts'
import { listSignedChanges } from './signed-change.ts'

/**
 * The sequence of the next change: after all that are signed, and after what any network has consumed.
 *
 * @throws NETWORK_UNAVAILABLE if no network answers
 */
export async function nextSequence(
  { database, networks }: { readonly database: Kysely<Database>; readonly networks: Networks },
  module: Address,
  wallet: Wallet,
): Promise<bigint> {
  const answers = await onEachNetwork(networks, async (network) =>
    network.config.ownership === module ? readOwnership(network, module, wallet) : undefined,
  )
  const consumed = answers.flatMap((answer) => (answer && 'sequence' in answer ? [answer.sequence] : []))
  if (consumed.length === 0) throw new LanyardError('NETWORK_UNAVAILABLE')
  const signed = (await listSignedChanges(database, wallet.address)).map(({ sequence }) => sequence + 1n)
  return [...consumed, ...signed].reduce((a, b) => (a > b ? a : b))
}
