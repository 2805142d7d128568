import { usernameKey } from '@lanyard/contracts'
import type { AccountRow, Database, UserRow } from '@lanyard/database'
import type { Transaction } from 'kysely'
import {
  fromStoredDeployment,
  toStoredDeployment,
} from '../../../domain/accounts/accounts/stored-deployment.ts'
import type { UserExport } from './user-export.ts'

export interface ImportPolicy {
  /** Accept passkeys of another domain: they work again only on a service with that domain as RP_ID. */
  readonly allowOtherRelyingParty: boolean
}

/** The user of a document, as in this database. */
export interface Present {
  readonly user: UserRow
  readonly account: AccountRow
}

/**
 * Finds the conflicts that prevent the import of a document.
 *
 * @returns the user in this database, if present, and a description of every conflict
 */
export async function findConflicts(
  transaction: Transaction<Database>,
  document: UserExport,
  policy: ImportPolicy,
): Promise<{ readonly present: Present | undefined; readonly conflicts: readonly string[] }> {
  const { user, account } = document
  const present = await findPresent(transaction, account.address)
  const conflicts = [
    ...(present ? againstPresent(document, present) : await againstOthers(transaction, document)),
    ...(await ofCredentials(transaction, document, present?.user.id ?? user.id)),
    ...(await ofOrders(transaction, document)),
    ...(policy.allowOtherRelyingParty ? [] : await ofRelyingParty(transaction, document)),
  ]
  return { present, conflicts }
}

async function findPresent(
  transaction: Transaction<Database>,
  address: string,
): Promise<Present | undefined> {
  const account = await transaction
    .selectFrom('accounts')
    .selectAll()
    .where('address', '=', address)
    .forUpdate()
    .executeTakeFirst()
  if (!account) return undefined
  const user = await transaction
    .selectFrom('users')
    .selectAll()
    .where('id', '=', account.user_id)
    .executeTakeFirstOrThrow()
  return { user, account }
}

const initializerColumns = ['eoa_address', 'passkey_x', 'passkey_y', 'passkey_verifiers'] as const

function againstPresent({ user, account, credentials }: UserExport, present: Present): string[] {
  const differing: string[] = initializerColumns.filter(
    (column) => account[column] !== present.account[column],
  )
  if (normalised(account.deployment) !== normalised(present.account.deployment)) differing.push('deployment')
  if (differing.length > 0)
    return [`${account.address} is already here with another initializer: ${differing.join(', ')} differ`]
  // EOA accounts have random names, so the same account has different names on two installations. Passkeys
  // contain the user's id.
  if (present.user.id === user.id || (user.kind === 'eoa' && credentials.length === 0)) return []
  return [
    `${account.address} is already here as another user, "${present.user.username}", with other passkeys`,
  ]
}

/** Ignores the order of members and the letter case of addresses. */
const normalised = (deployment: unknown) =>
  JSON.stringify(Object.entries(toStoredDeployment(fromStoredDeployment(deployment))).sort())

async function againstOthers(
  transaction: Transaction<Database>,
  { user, account }: UserExport,
): Promise<string[]> {
  const others = await transaction
    .selectFrom('users')
    .leftJoin('accounts', 'accounts.user_id', 'users.id')
    .select(['users.id', 'users.username', 'users.username_key', 'accounts.address', 'accounts.eoa_address'])
    .where((where) =>
      where.or([
        where('users.id', '=', user.id),
        where('users.username_key', '=', usernameKey(user.username)),
        where('accounts.eoa_address', '=', account.eoa_address),
      ]),
    )
    .execute()
  return others.flatMap(({ id, username, username_key, address, eoa_address }) => [
    ...(username_key === usernameKey(user.username)
      ? [`the username "${username}" belongs to another account here (${address})`]
      : []),
    ...(id === user.id && username_key !== usernameKey(user.username)
      ? [`the user id ${id} belongs to another user here ("${username}")`]
      : []),
    ...(eoa_address !== null && eoa_address === account.eoa_address
      ? [`the EOA ${eoa_address} has another account here (${address})`]
      : []),
  ])
}

async function ofCredentials(
  transaction: Transaction<Database>,
  { credentials }: UserExport,
  userId: string,
): Promise<string[]> {
  if (credentials.length === 0) return []
  const here = await transaction
    .selectFrom('credentials')
    .select(['id', 'user_id', 'public_key'])
    .where((where) =>
      where.or([
        where(
          'id',
          'in',
          credentials.map(({ id }) => id),
        ),
        where(
          'public_key',
          'in',
          credentials.map(({ public_key }) => Buffer.from(public_key)),
        ),
      ]),
    )
    .execute()
  const keyOf = new Map(credentials.map((row) => [row.id, Buffer.from(row.public_key)]))
  return here
    .filter(({ id, user_id, public_key }) => user_id !== userId || !keyOf.get(id)?.equals(public_key))
    .map(({ id }) => `the passkey ${id}, or its key, is registered here for another user or with another id`)
}

async function ofOrders(
  transaction: Transaction<Database>,
  { account, orders }: UserExport,
): Promise<string[]> {
  if (orders.length === 0) return []
  const foreign = await transaction
    .selectFrom('orders')
    .select('order_id')
    .where(
      'order_id',
      'in',
      orders.map(({ order_id }) => order_id),
    )
    .where('account', '<>', account.address)
    .execute()
  return foreign.map(({ order_id }) => `the order ${order_id} belongs to another account here`)
}

async function ofRelyingParty(
  transaction: Transaction<Database>,
  { rp_id, credentials }: UserExport,
): Promise<string[]> {
  if (credentials.length === 0) return []
  const here = await transaction.selectFrom('relying_party').select('rp_id').executeTakeFirst()
  if (!here || here.rp_id === rp_id) return []
  return [
    `the passkeys are of the domain ${rp_id}, and this installation is ${here.rp_id}: they would not work here (--other-rp-id imports them anyway)`,
  ]
}
