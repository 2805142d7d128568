import { computeAccountAddress } from '@lanyard/accounts'
import { type AccountRow, findAccount } from '@lanyard/database'
import { safeAbi } from '@lanyard/onchain'
import { isAddressEqual } from 'viem'
import { toWallet, type Wallet } from '../accounts/wallet.ts'
import { describeOwners } from '../owners/describe-owners.ts'
import { listCredentials } from '../webauthn/credentials.ts'
import { chunksOf, type RepairContext } from './context.ts'
import type { Difference } from './difference.ts'

/** Recomputes the address of every account from its stored initializer. */
export async function compareInitializers({
  database,
  network,
  accounts,
}: RepairContext): Promise<Difference[]> {
  const found: Difference[] = []
  for (const chunk of chunksOf(accounts)) {
    const rows = await database.selectFrom('accounts').selectAll().where('address', 'in', chunk).execute()
    for (const row of rows) {
      const computed = addressOf(row)
      if (computed === row.address) continue
      const { address, eoa_address } = row
      const of = { network: network.chainId, account: address, subject: address }
      const chain = { address: computed ?? null }
      found.push({ kind: 'ACCOUNT_CONTRADICTS_ITSELF', ...of, database: { address, eoa_address }, chain })
    }
  }
  return found
}

function addressOf(row: AccountRow): string | undefined {
  try {
    const { owner, deployment } = toWallet(row)
    return computeAccountAddress(owner, deployment).toLowerCase()
  } catch {
    return undefined // it is not whole
  }
}

/**
 * Compares accounts whose owners or modules changed with what the service needs and knows. The events say whom to look
 * at; what counts is the final block's state.
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
  const described = await describeOwners(network, wallet, owners, await listCredentials(database, userId))
  const { sessionKeys } = network.config
  const unknown = described.filter(
    (owner) => owner.kind === 'contract' && !(sessionKeys && isAddressEqual(owner.address, sessionKeys)),
  )
  const account = address.toLowerCase()
  const of = { network: network.chainId, account, subject: account }
  return [
    ...unknown.map(
      (owner): Difference => ({
        kind: 'OWNER_UNKNOWN',
        ...of,
        database: {},
        chain: { owner: owner.address },
      }),
    ),
    ...(enabled
      ? []
      : [
          {
            kind: 'MODULE_DISABLED',
            ...of,
            database: { module: deployment.module },
            chain: { enabled },
          } as const,
        ]),
    ...(threshold === 1n
      ? []
      : [{ kind: 'THRESHOLD_RAISED', ...of, database: { threshold: 1 }, chain: { threshold } } as const]),
  ]
}
