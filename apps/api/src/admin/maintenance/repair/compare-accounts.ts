import { computeAccountAddress } from '@lanyard/accounts'
import { type AccountRow, type CredentialRow, type Database, findAccount } from '@lanyard/database'
import { safeAbi } from '@lanyard/onchain'
import type { Kysely } from 'kysely'
import { type Address, isAddressEqual } from 'viem'
import { isSafeRow, toWallet, type Wallet } from '../../../domain/accounts/accounts/wallet.ts'
import { describeOwners } from '../../../domain/accounts/owners/describe-owners.ts'
import { listCredentials } from '../../../domain/accounts/passkeys/credentials.ts'
import { compareFirstOwner, comparePasskeyOwner, isKeyOf } from './compare-passkeys.ts'
import { chunksOf, type RepairContext } from './context.ts'
import type { Difference } from './difference.ts'

/**
 * Recomputes the address of every account from its stored initializer, and checks which passkey the
 * initializer contains. An account whose row contradicts its address is only reported: its creation data is in a backup.
 */
export async function compareInitializers(context: RepairContext): Promise<Difference[]> {
  const { database, accounts } = context
  const found: Difference[] = []
  for (const chunk of chunksOf(accounts)) {
    const rows = await database.selectFrom('accounts').selectAll().where('address', 'in', chunk).execute()
    const credentials = await listCredentialsOf(database, rows)
    for (const row of rows) {
      if (!isSafeRow(row)) continue // its address is its owner
      const computed = addressOf(row)
      if (computed !== row.address) {
        const { address, eoa_address } = row
        found.push({
          kind: 'ACCOUNT_CONTRADICTS_ITSELF',
          ...{ network: context.network.chainId, account: address, subject: address },
          database: { address, eoa_address },
          chain: { address: computed ?? null },
        })
      } else {
        const ofUser = credentials.filter(({ user_id }) => user_id === row.user_id)
        found.push(...compareFirstOwner(context, toWallet(row), ofUser))
      }
    }
  }
  return found
}

async function listCredentialsOf(
  database: Kysely<Database>,
  accounts: readonly AccountRow[],
): Promise<CredentialRow[]> {
  if (accounts.length === 0) return []
  const userIds = accounts.map(({ user_id }) => user_id)
  return database.selectFrom('credentials').selectAll().where('user_id', 'in', userIds).execute()
}

function addressOf(row: AccountRow): string | undefined {
  try {
    const { owner, deployment } = toWallet(row)
    return computeAccountAddress(owner, deployment).toLowerCase()
  } catch {
    return undefined // the row is incomplete
  }
}

/**
 * Compares accounts whose owners or modules changed with what the service needs and knows. Events show which
 * accounts to check; the state of the final block decides.
 */
export async function compareSafes(context: RepairContext, changed: Iterable<string>): Promise<Difference[]> {
  const found: Difference[] = []
  for (const address of changed) {
    const row = await findAccount(context.database, address)
    if (row && addressOf(row) === row.address)
      found.push(...(await compareSafe(context, toWallet(row), row.user_id)))
  }
  return found
}

async function compareSafe(
  { database, network, final: { number: blockNumber } }: RepairContext,
  wallet: Wallet,
  userId: string,
): Promise<Difference[]> {
  const { address, deployment } = wallet
  const contract = { address, abi: safeAbi, blockNumber } as const
  const code = await network.call((client) => client.getCode({ address, blockNumber }))
  if (code === undefined) return []
  const [owners, threshold, enabled] = await network.call((client) =>
    Promise.all([
      client.readContract({ ...contract, functionName: 'getOwners' }),
      client.readContract({ ...contract, functionName: 'getThreshold' }),
      client.readContract({ ...contract, functionName: 'isModuleEnabled', args: [deployment.module] }),
    ]),
  )
  const credentials = await listCredentials(database, userId)
  const described = await describeOwners(network, wallet, owners, credentials)
  const { sessionKeys } = network.config
  const knows = (owner: Address) =>
    (sessionKeys !== undefined && isAddressEqual(owner, sessionKeys)) ||
    // The first passkey is known; `compareInitializers` compares its row with the initializer.
    (isAddressEqual(owner, deployment.sharedSigner) && credentials.some((row) => isKeyOf(row, wallet.owner)))
  const unknown = described.filter(({ kind, address: owner }) => kind === 'contract' && !knows(owner))
  // A passkey whose row names an owner has no other signer contract.
  const spare = credentials.filter(({ id }) => !described.some(({ credential }) => credential?.id === id))
  const account = address.toLowerCase()
  const named = { network: network.chainId, account, subject: account }
  const ofOwners = await Promise.all(
    unknown.map(
      async ({ address: owner }): Promise<Difference> =>
        (await comparePasskeyOwner(network, wallet, owner, spare)) ?? {
          kind: 'OWNER_UNKNOWN',
          ...named,
          database: {},
          chain: { owner },
        },
    ),
  )
  return [
    ...ofOwners,
    ...(enabled
      ? []
      : [
          {
            kind: 'MODULE_DISABLED',
            ...named,
            database: { module: deployment.module },
            chain: { enabled },
          } as const,
        ]),
    ...(threshold === 1n
      ? []
      : [{ kind: 'THRESHOLD_RAISED', ...named, database: { threshold: 1 }, chain: { threshold } } as const]),
  ]
}
