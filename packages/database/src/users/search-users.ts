import { usernameKey } from '@lanyard/contracts'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Database } from '../schema.ts'

export interface FoundUser {
  readonly username: string
  /** The smart account's address, lower-case. */
  readonly address: string
}

export interface SearchOptions {
  /** Maximum number of results. The default and upper limit is 20. */
  readonly limit?: number
}

const maxResults = 20
const prefixFrom = 2
/** Minimum length of a query that matches inside names. */
const substringFrom = 3
/**
 * Matches queries with a letter or a digit after the first character. Other queries have no trigram to look
 * up.
 */
const trigram = /^.+[\p{L}\p{N}]/su
/**
 * Number of names that are scanned in order before all names that contain the query are collected and sorted.
 */
const firstNames = 250

/**
 * Finds users by name or by wallet address. Results come in groups: first the user of exactly this name, then
 * names that begin with the query, then (from three characters) names that contain it, then (for `0x…`)
 * addresses that begin with it, of smart accounts and of their first owners. Each group is in byte order, and
 * no user appears twice. A query of little more than punctuation is searched for only inside the first names,
 * because it would be compared with every name.
 *
 * Anyone may search, so a name that looks like an e-mail address (contains `@`) is found only by the whole
 * name: neither by a part of it, nor by the address of its wallet.
 *
 * @param query At least two characters; a shorter one finds only the exact name.
 */
export async function searchUsers(
  db: Kysely<Database>,
  query: string,
  options: SearchOptions = {},
): Promise<readonly FoundUser[]> {
  const key = usernameKey(query)
  if (key.includes('\0')) return [] // PostgreSQL does not accept NUL in text, so no name contains it
  const limit = Math.min(options.limit ?? maxResults, maxResults)
  const found = new Map<string, FoundUser>()
  // Run serially, because the first group that fills the page is enough for most queries.
  for (const group of groupsOf(key)) {
    if (found.size >= limit) break
    // A later group may repeat earlier results, so it reads that many rows more.
    const { rows } = await group(limit + found.size).execute(db)
    for (const row of rows) found.set(row.address, found.get(row.address) ?? row)
  }
  return [...found.values()].slice(0, limit)
}

function groupsOf(key: string): ((limit: number) => RawBuilder<FoundUser>)[] {
  const length = [...key].length
  // No listed name contains an @.
  if (length < prefixFrom || key.includes('@')) return [() => withName(key)]
  // In byte order the exact name is the first of those that begin with it.
  const groups = [(limit: number) => withNameFrom(key, limit)]
  if (length >= substringFrom) {
    const pattern = `%${escapeLike(key)}%`
    groups.push((limit) => withNameLikeAmongFirst(pattern, limit))
    if (trigram.test(key)) groups.push((limit) => withNameLike(pattern, limit))
  }
  if (/^0x[0-9a-f]{0,40}$/.test(key)) groups.push((limit) => withAddress(`${key}%`, limit))
  return groups
}

/** `\` is LIKE's escape character unless a statement says otherwise. */
function escapeLike(text: string): string {
  return text.replaceAll(/[\\%_]/g, '\\$&')
}

function withName(key: string): RawBuilder<FoundUser> {
  return sql`
    select users.username, accounts.address
    from users join accounts on accounts.user_id = users.id
    where users.username_key = ${key}`
}

/**
 * In byte order, the names with a prefix directly follow the prefix. Only as many are read as the page needs,
 * regardless of the planner's estimate for the prefix. Every user has an account, so the page can be limited
 * before the join.
 */
function withNameFrom(prefix: string, limit: number): RawBuilder<FoundUser> {
  return sql`
    select following.username, accounts.address
    from (
        select id, username, username_key from users
        where username_key >= ${prefix} and listed
        order by username_key limit ${limit}
      ) as following
      join accounts on accounts.user_id = following.id
    where following.username_key ^@ ${prefix}
    order by following.username_key`
}

/**
 * A part that many names contain is found soon by scanning the names in order. More names may match than this
 * finds.
 */
function withNameLikeAmongFirst(pattern: string, limit: number): RawBuilder<FoundUser> {
  return sql`
    select users.username, accounts.address
    from (select username_key from users where listed order by username_key limit ${firstNames}) as firsts
      join users on users.username_key = firsts.username_key
      join accounts on accounts.user_id = users.id
    where firsts.username_key like ${pattern}
    order by firsts.username_key
    limit ${limit}`
}

/**
 * A part that few names contain is looked up by its trigrams. `offset 0` isolates the subquery, so that a
 * wrong row estimate never makes the planner scan all names in order, and accounts are looked up only for the
 * page.
 */
function withNameLike(pattern: string, limit: number): RawBuilder<FoundUser> {
  return sql`
    select matches.username, accounts.address
    from (
        select id, username, username_key from users
        where username_key like ${pattern} and listed
        order by username_key offset 0
      ) as matches
      join accounts on accounts.user_id = matches.id
    order by matches.username_key
    limit ${limit}`
}

/** Two range scans instead of one `or`: each reads only the part of its index that the page needs. */
function withAddress(pattern: string, limit: number): RawBuilder<FoundUser> {
  const having = (column: 'address' | 'eoa_address') => sql`
    select users.username, accounts.address
    from accounts join users on users.id = accounts.user_id
    where ${sql.ref(`accounts.${column}`)} like ${pattern} and users.listed
    order by ${sql.ref(`accounts.${column}`)}
    limit ${limit}`
  return sql`
    select username, address from ((${having('address')}) union (${having('eoa_address')})) as matches
    order by address
    limit ${limit}`
}
