import type { Database } from '@lanyard/database'
import type { Network, Networks } from '@lanyard/networks'
import type { Kysely } from 'kysely'
import type { Address } from 'viem'
import { withReadTimeout } from '../../../platform/timeouts.ts'
import { type AnyWallet, rulesOf } from './wallet.ts'

export interface NetworkAccount {
  readonly network: number
  readonly address: Address
  readonly deployed: boolean
}

/**
 * The account on every configured network. All networks are queried in parallel. If a network does not
 * answer, the account counts as deployed there if an operation of it was included.
 */
export async function listNetworkAccounts(
  { database, networks }: { database: Kysely<Database>; networks: Networks },
  wallet: AnyWallet,
): Promise<NetworkAccount[]> {
  const { address } = wallet
  return Promise.all(
    networks.list().map(async (network) => ({
      network: network.chainId,
      address,
      deployed: await withReadTimeout(network, isDeployedOn(network, wallet)).catch(() =>
        wasUsed(database, network.chainId, address),
      ),
    })),
  )
}

async function isDeployedOn(network: Network, wallet: AnyWallet): Promise<boolean> {
  const code = await network.call((client) => client.getCode({ address: wallet.address }))
  return rulesOf(wallet).isDeployed(code)
}

async function wasUsed(database: Kysely<Database>, network: number, address: Address): Promise<boolean> {
  const row = await database
    .selectFrom('every_operation')
    .select('user_op_hash')
    .where('account', '=', address.toLowerCase())
    .where('network', '=', network)
    .where('state', '=', 'included')
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}
