import { randomUUID } from 'node:crypto'
import { LanyardError, usernameKey, usernameSkeleton, usernameSkeletonVersion } from '@lanyard/contracts'
import { type Kysely, Transaction } from 'kysely'
import type { Database } from '../schema.ts'
import { displaceUnproven } from './displace-account.ts'
import { type AccountWithUser, findAccountAt, findAccountOfEoa } from './find-account.ts'

export interface NewEoaAccount {
  /** The smart account's address; in any case. */
  readonly address: string
  /** Its first owner, in any case; null: the EOA at `address` is the account itself. */
  readonly eoaAddress: string | null
  /** Everything else that the address depends on, as JSON. */
  readonly deployment: unknown
  readonly createdAt: Date
  /**
   * Whether its user, or a server, asks for it, which holds from then on. Otherwise requests that name its EOA mean another
   * account of it until something is signed for this one. Default: true
   */
  readonly confirmed?: boolean
  /** Called before a new account is written; what it throws prevents that. */
  readonly beforeNew?: () => void
}

export interface CreatedAccount {
  readonly account: AccountWithUser
  /** False if the EOA already had its account. */
  readonly created: boolean
}

/**
 * Creates an account of an EOA, and its user; or returns the existing account, which keeps its address. The name is a random
 * UUID, or the account's address if no EOA is stored with it: nobody can register an address as a name. Safe with concurrent calls on other replicas.
 *
 * An account that somebody created for the contract account's address as an EOA gives way ({@link displaceUnproven}).
 *
 * @throws LanyardError INTERNAL if the address belongs to another owner's account.
 */
export async function createEoaAccount(
  db: Kysely<Database>,
  account: NewEoaAccount,
): Promise<CreatedAccount> {
  const { confirmed = true } = account
  const address = account.address.toLowerCase()
  const eoaAddress = account.eoaAddress?.toLowerCase() ?? null
  const isContract = isContractDeployment(account.deployment)
  const findHere = async () => {
    const row = await findAccountAt(db, address)
    return row && isContract && !isContractDeployment(row.deployment) ? undefined : row
  }
  const find = () => (eoaAddress === null ? findHere() : findAccountOfEoa(db, eoaAddress))
  const existing = await find()
  if (existing) {
    if (confirmed && !existing.confirmed) await confirm(db, existing.address)
    return { account: existing, created: false }
  }
  account.beforeNew?.()

  let created = await insert(db, { ...account, address, eoaAddress, confirmed })
  let found = await find()
  // A contract account at this address is proven by its deployment or its code; an EOA there is not.
  if (!found && isContract) {
    created = await withTransaction(db, async (transaction) => {
      await displaceUnproven(transaction, address)
      return insert(transaction, { ...account, address, eoaAddress, confirmed })
    })
    // The account may have been imported, and used since.
    found = (await find()) ?? (await findImported(db, address))
  }
  if (found) return { account: found, created }
  throw new LanyardError('INTERNAL', {
    cause: new Error(`The account ${address} exists, and ${eoaAddress} is not its owner`),
  })
}

/** Whether a stored deployment has a member. */
const has = (deployment: unknown, member: string): boolean =>
  typeof deployment === 'object' && deployment !== null && member in deployment

/** Whether the deployment is a contract account's: that of an EOA names its kind. */
const isContractDeployment = (deployment: unknown): boolean => !has(deployment, 'kind')

/** The account at an address if it was imported: its deployment names the address. */
async function findImported(db: Kysely<Database>, address: string): Promise<AccountWithUser | undefined> {
  const row = await findAccountAt(db, address)
  return row && has(row.deployment, 'address') ? row : undefined
}

const withTransaction = <T>(db: Kysely<Database>, run: (transaction: Transaction<Database>) => Promise<T>) =>
  db instanceof Transaction ? run(db) : db.transaction().execute(run)

/** @returns false if the account exists, or another one has its address */
async function insert(
  db: Kysely<Database>,
  { address, eoaAddress, deployment, createdAt, confirmed }: Required<Omit<NewEoaAccount, 'beforeNew'>>,
): Promise<boolean> {
  // One statement inserts both rows or none: the reference to the user is checked at its end. The loser of a
  // race waits for the winner, inserts nothing, and then reads the winner's rows.
  const inserted = await db
    .with('new_account', (query) =>
      query
        .insertInto('accounts')
        .values({
          address,
          user_id: randomUUID(),
          eoa_address: eoaAddress,
          // As text, because pg writes an array in PostgreSQL's array format.
          deployment: JSON.stringify(deployment),
          created_at: createdAt,
          confirmed,
        })
        .onConflict((conflict) => conflict.doNothing())
        .returning(['user_id', 'created_at']),
    )
    .insertInto('users')
    .columns([
      'id',
      'kind',
      'username',
      'username_key',
      'username_skeleton',
      'skeleton_version',
      'created_at',
    ])
    .expression((query) => {
      const username = eoaAddress === null ? address : randomUUID()
      return query
        .selectFrom('new_account')
        .select(({ val }) => [
          'user_id',
          val('eoa').as('kind'),
          val(username).as('username'),
          val(username).as('username_key'),
          val(usernameSkeleton(username)).as('username_skeleton'),
          val(usernameSkeletonVersion).as('skeleton_version'),
          'created_at',
        ])
    })
    .returning('id')
    .executeTakeFirst()
  return inserted !== undefined
}

const confirm = (db: Kysely<Database>, address: string) =>
  db.updateTable('accounts').set({ confirmed: true }).where('address', '=', address).execute()

/** A row of `users` that only reserves a name: its key and its skeleton, which are unique, keep the name and its look-alikes from others. */
export const toReservation = (username: string | undefined, createdAt: Date) => {
  if (username === undefined) return undefined
  return {
    ...{
      id: randomUUID(),
      kind: 'eoa' as const,
      username,
      username_key: usernameKey(username),
      reserved: true,
    },
    ...{ username_skeleton: usernameSkeleton(username), skeleton_version: usernameSkeletonVersion },
    created_at: createdAt,
  }
}
