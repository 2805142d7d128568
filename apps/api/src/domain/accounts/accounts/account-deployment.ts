import { type AccountDeployment, defaultDeployment } from '@lanyard/accounts'
import type { Database } from '@lanyard/database'
import type { Networks } from '@lanyard/networks'
import type { Kysely } from 'kysely'
import type { Address } from 'viem'
import { ConfigurationError } from '../../../platform/environment/configuration-error.ts'
import type { Env } from '../../../platform/environment/env.ts'

/**
 * The contracts that new accounts are created with. They are part of an account's address, so the modules are fixed with
 * the first account of the installation: otherwise a user's address would depend on when they came.
 *
 * @throws ConfigurationError if accounts exist with other modules, or the networks do not have the same module: the
 * service must not start
 */
export async function fixAccountDeployment(
  database: Kysely<Database>,
  networks: Networks,
  modules: Env['ACCOUNT_MODULES'],
): Promise<AccountDeployment> {
  const ownership = modules.includes('ownership') ? requireOwnership(networks) : undefined
  await fix(database, ownership)
  return ownership ? { ...defaultDeployment, ownership } : defaultDeployment
}

/** On a network without it, anyone could deploy an account whose module has no code. */
function requireOwnership(networks: Networks): Address {
  const addresses = networks.list().map(({ config }) => config.ownership)
  const [first] = addresses
  if (first !== undefined && addresses.every((address) => address === first)) return first
  throw new ConfigurationError('The environment', [
    'ACCOUNT_MODULES: with ownership, each network of NETWORKS_FILE names `ownership`, at the same address. `lanyard deploy-ownership` deploys it.',
  ])
}

async function fix(database: Kysely<Database>, ownership: Address | undefined): Promise<void> {
  const values = { ownership: ownership?.toLowerCase() ?? null }
  await database.transaction().execute(async (transaction) => {
    const account = await transaction.selectFrom('accounts').select('address').limit(1).executeTakeFirst()
    // An installation that has accounts and no row created them before this setting: without modules.
    await transaction
      .insertInto('account_modules')
      .values(account ? { ownership: null } : values)
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    const stored = await transaction
      .selectFrom('account_modules')
      .selectAll()
      .forUpdate()
      .executeTakeFirstOrThrow()
    if (stored.ownership === values.ownership) return
    if (account) {
      throw new ConfigurationError('The environment', [
        `ACCOUNT_MODULES: accounts exist that were created with ${nameOf(stored.ownership)}, and the configuration says ${nameOf(values.ownership)}. Set it back: the modules are part of an account's address.`,
      ])
    }
    await transaction.updateTable('account_modules').set(values).execute()
  })
}

const nameOf = (ownership: string | null) => (ownership ? `ownership at ${ownership}` : 'no modules')
