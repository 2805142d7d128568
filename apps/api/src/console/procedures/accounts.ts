import { eoaOf } from '@lanyard/accounts'
import { LanyardError } from '@lanyard/contracts'
import { findAccount, findAccounts, findImport, findUserByName, searchUsers } from '@lanyard/database'
import { sql } from 'kysely'
import { getAddress } from 'viem'
import { z } from 'zod'
import { accountKindOf, isContractAccount, toAnyWallet } from '../../domain/accounts/accounts/wallet.ts'
import { inspectOwners } from '../../domain/accounts/owners/describe-owners.ts'
import { onEachNetwork, readOwners } from '../../domain/accounts/owners/read-owners.ts'
import { listCredentials } from '../../domain/accounts/passkeys/credentials.ts'
import { readProtectionHistory } from '../../domain/owners/protection-history.ts'
import { listSessions } from '../../domain/session-keys/list-sessions.ts'
import { operatorProcedure, router } from '../console-trpc.ts'
import { describeProtection } from '../views/describe-protection.ts'
import { nameFor } from '../views/shown-name.ts'

/** Events that the list of the last active accounts looks at. */
const recentEvents = 300
const shownAccounts = 30

/** The latest operations of an account, which are counted by network: an account may have a million. */
const countedOperations = 1_000

const accountAddress = z.string().regex(/^0x[0-9a-fA-F]{40}$/, 'Expected an address: 0x and 40 hex digits')

export const accounts = router({
  /** By name, address or first owner; without a query, the accounts that were active last. */
  search: operatorProcedure
    .input(z.object({ query: z.string().trim().max(200).default('') }))
    .query(async ({ ctx: { database, operator }, input: { query } }) => {
      const show = (username: string, address: string) => ({
        username: nameFor(operator.role, username),
        address: getAddress(address),
      })
      if (/^0x[0-9a-fA-F]{40}$/.test(query)) {
        const found = await findAccounts(database, query)
        return { accounts: found.map(({ username, address }) => show(username, address)), isRecent: false }
      }
      if (query !== '') {
        // The operator's own name of a user comes first.
        const imported = await findImport(database, { externalId: query })
        const first =
          imported?.account && imported.username !== null
            ? [{ username: imported.username, address: imported.account }]
            : []
        const rest = await searchUsers(database, query)
        const found = [...first, ...rest.filter(({ address }) => address !== first[0]?.address)]
        return { accounts: found.map(({ username, address }) => show(username, address)), isRecent: false }
      }
      const rows = await database
        .selectFrom((eb) =>
          eb
            .selectFrom('events')
            .select(['account', 'id'])
            .orderBy('id', 'desc')
            .limit(recentEvents)
            .as('last'),
        )
        .innerJoin('accounts', 'accounts.address', 'last.account')
        .innerJoin('users', 'users.id', 'accounts.user_id')
        .select(['accounts.address', 'users.username'])
        .select(({ fn }) => fn.max('last.id').as('newest'))
        .groupBy(['accounts.address', 'users.username'])
        .orderBy('newest', 'desc')
        .limit(shownAccounts)
        .execute()
      return { accounts: rows.map(({ username, address }) => show(username, address)), isRecent: true }
    }),
  /** By the address of the account, or the name of its user. */
  detail: operatorProcedure
    .input(z.object({ address: accountAddress }))
    .query(async ({ ctx: { database, operator, services }, input }) => {
      const account = await findAccount(database, input.address)
      if (!account) throw new LanyardError('UNKNOWN_WALLET')
      const { address } = account
      const now = services.now()
      const chainIds = services.networks.list().map(({ chainId }) => chainId)
      const [passkeys, deposits, states, suspensions, orders, losses, user, acts, unable, imported] =
        await Promise.all([
          database
            .selectFrom('credentials')
            .select(['label', 'first_owner', 'backed_up', 'created_at', 'last_used_at'])
            .where('user_id', '=', account.user_id)
            .orderBy('created_at')
            .execute(),
          database
            .selectFrom('smart_balance_ledger')
            .selectAll()
            .where('account', '=', address)
            .orderBy('network')
            .execute(),
          database
            .selectFrom((eb) =>
              eb
                .selectFrom('every_operation')
                .select(['network', 'signed_at'])
                .where('account', '=', address)
                .where('signed_at', 'is not', null)
                .orderBy('signed_at', 'desc')
                .limit(countedOperations)
                .as('latest'),
            )
            .select(['network', sql<number>`count(*)::int4`.as('count')])
            .select(sql<Date | null>`max(signed_at)`.as('last'))
            .groupBy('network')
            .orderBy('network')
            .execute(),
          database
            .selectFrom('sponsorship_suspensions')
            .selectAll()
            .where('subject', '=', `account:${address}`)
            .where('until', '>', now)
            .execute(),
          database
            .selectFrom('orders')
            .select(['order_id', 'output_network', 'state', 'amount', 'reserved_at'])
            .where('account', '=', address)
            .orderBy('reserved_at', 'desc')
            .limit(20)
            .execute(),
          database
            .selectFrom('relayer_losses')
            .select(['network', sql<string>`sum(owed)::text`.as('owed')])
            .where('account', '=', address)
            .where('owed', '>', 0n)
            .where('repaid_by', 'is', null)
            .groupBy('network')
            .execute(),
          findUserByName(database, account.username),
          readProtectionHistory(database, getAddress(address), chainIds),
          database
            .selectFrom('guardian_problems')
            .select(['guardian', 'network', 'problem'])
            .where('account', '=', address)
            .orderBy('guardian')
            .orderBy('network')
            .execute(),
          findImport(database, { userId: account.user_id }),
        ])
      const wallet = toAnyWallet(account)
      return {
        username: nameFor(operator.role, account.username),
        address: getAddress(address),
        kind: account.kind,
        type: accountKindOf(wallet),
        createdAt: (user?.created_at ?? account.created_at).toISOString(),
        firstOwner: eoaOf(wallet.owner) ?? null,
        /** Of a user who was imported: the operator's own name of them. */
        externalId: imported?.externalId == null ? null : nameFor(operator.role, imported.externalId),
        passkeys: passkeys.map(({ label, first_owner, backed_up, created_at, last_used_at }) => ({
          label,
          firstOwner: first_owner,
          backedUp: backed_up,
          createdAt: created_at.toISOString(),
          lastUsedAt: last_used_at?.toISOString() ?? null,
        })),
        /** Whether `networks` leaves older operations out. */
        hasMore: states.reduce((sum, { count }) => sum + count, 0) === countedOperations,
        networks: states.map(({ network, count, last }) => ({
          network,
          operations: count,
          lastAt: last?.toISOString() ?? null,
        })),
        deposits: deposits.map(({ network, balance, exiting, exit_ready_at, block_number }) => ({
          ...{ network, balance: String(balance), exiting: String(exiting) },
          exitReadyAt: exit_ready_at === 0 ? null : new Date(exit_ready_at * 1000).toISOString(),
          blockNumber: block_number,
        })),
        protection: acts.map((act) => ({
          ...{ what: describeProtection(act), at: act.at, guardian: act.guardian ?? null },
          ...{
            id: `${act.act} ${act.messageToSign} ${act.guardian}`,
            networks: act.networks,
            waiting: act.waiting.map((network) => ({ network, reason: act.reasons[network] ?? null })),
          },
        })),
        /** As of the last daily check. */
        guardianProblems: unable.map(({ guardian, network, problem }) => ({
          ...{ guardian: getAddress(guardian), network, problem },
        })),
        orders: orders.map(({ order_id, output_network, state, amount, reserved_at }) => ({
          ...{ id: order_id, network: output_network, state, amount: String(amount) },
          at: reserved_at.toISOString(),
        })),
        suspensions: suspensions.map(({ network, reason, until }) => ({
          network,
          reason,
          until: until.toISOString(),
        })),
        owed: losses.map(({ network, owed }) => ({ network, wei: owed })),
      }
    }),
  /** What the networks say of an account: its owners and session keys. A network that does not answer says nothing. */
  chain: operatorProcedure
    .input(z.object({ address: accountAddress }))
    .query(async ({ ctx: { database, services }, input }) => {
      const account = await findAccount(database, input.address)
      if (!account) throw new LanyardError('UNKNOWN_WALLET')
      const wallet = toAnyWallet(account)
      const credentials = await listCredentials(database, account.user_id)
      return {
        networks: await onEachNetwork(services.networks, async (network) => {
          const [{ deployed, owners }, sessions] = await Promise.all([
            readOwners(network, wallet),
            network.config.sessionKeys === undefined || !isContractAccount(wallet)
              ? []
              : listSessions(network, wallet.address),
          ])
          const described = await inspectOwners(network, wallet, owners, credentials)
          return {
            ...{ network: network.chainId, status: 'up' as const, deployed },
            owners: described.map(({ address, kind, credential }) => ({
              ...{ address, kind, label: credential?.label ?? null },
            })),
            sessions: sessions.map(({ keyId, state, validUntil, operationsLeft, description }) => ({
              ...{ keyId, state, operationsLeft, description: [description].flat() },
              until: new Date(validUntil * 1000).toISOString(),
            })),
          }
        }),
      }
    }),
})
