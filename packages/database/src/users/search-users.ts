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
  // No listed name contains an @.
  const isWhole = [...key].length < prefixFrom || key.includes('@')
  const limit = Math.min(options.limit ?? maxResults, maxResults)
  const { rows } = await (isWhole ? withName(key) : withPart(key, limit)).execute(db)
  return rows
}

function withName(key: string): RawBuilder<FoundUser> {
  return sql`
    select users.username, accounts.address
    from users join accounts on accounts.user_id = users.id
    where users.username_key = ${key}`
}

/**
 * One statement for all groups, because a round trip costs more than most of them. Every user whose name is not only reserved has an account, so
 * the page is limited before the join.
 *
 * Planning costs more than most groups, too. PostgreSQL keeps one plan for all queries where it expects no better
 * one for each. So limits are literals, and patterns are subqueries, whose value the planner does not know.
 */
function withPart(key: string, limit: number): RawBuilder<FoundUser> {
  const groups = groupsOf(key, limit)
  const tables = groups.map((group, index) => sql`${groupName(index)} as materialized (${group})`)
  const rows = groups.map((_, index) => sql`select ${sql.lit(index)} as rank, * from ${groupName(index)}`)
  return sql`
    with ${sql.join(tables)}
    select page.username, accounts.address
    from (${sql.join(rows, sql` union all `)} order by rank, place limit ${sql.lit(limit)}) as page
      join accounts on accounts.user_id = page.id
    order by page.rank, page.place`
}

const groupName = (index: number) => sql.ref(`group_${index}`)

/** The rows of a group: users, and their place in it. */
type Group = RawBuilder<{ id: string; username: string; place: string }>

function groupsOf(key: string, limit: number): readonly Group[] {
  // In byte order the exact name is the first of those that begin with it.
  const groups = [beginning(key, limit)]
  /** Evaluated once for the group, before it is read, except for the users of earlier groups. */
  const isLeft = () => {
    const ids = sql.join(
      groups.map((_, index) => sql`select id from ${groupName(index)}`),
      sql` union all `,
    )
    return sql`(select count(*) from (${ids}) as found) < ${sql.lit(limit)} and users.id not in (${ids})`
  }
  if ([...key].length >= substringFrom) {
    const pattern = `%${escapeLike(key)}%`
    groups.push(containingAmongFirst(pattern, isLeft(), limit))
    if (trigram.test(key)) groups.push(containing(pattern, isLeft(), limit))
  }
  if (/^0x[0-9a-f]{0,40}$/.test(key)) groups.push(withAddress(key, isLeft(), limit))
  return groups
}

/** `\` is LIKE's escape character unless a statement says otherwise. */
function escapeLike(text: string): string {
  return text.replaceAll(/[\\%_]/g, '\\$&')
}

/** The condition that earlier groups neither fill the page nor contain the user. */
type IsLeft = RawBuilder<unknown>

/**
 * In byte order, the names with a prefix directly follow the prefix. Only as many are read as the page needs,
 * regardless of the planner's estimate for the prefix.
 */
const beginning = (prefix: string, limit: number): Group => sql`
  select id, username, username_key as place
  from (
      select id, username, username_key from users
      where username_key >= ${prefix} and listed and not reserved
      order by username_key limit ${sql.lit(limit)}
    ) as following
  where username_key ^@ ${prefix}`

/**
 * A part that many names contain is found soon by scanning the names in order. More names may match than this
 * finds.
 */
const containingAmongFirst = (pattern: string, isLeft: IsLeft, limit: number): Group => sql`
  select users.id, users.username, username_key as place
  from (select username_key from users where listed order by username_key limit ${sql.lit(firstNames)}) as firsts
    join users using (username_key)
  where username_key like (select ${pattern}) and not reserved and ${isLeft}
  order by username_key limit ${sql.lit(limit)}`

/**
 * A part that few names contain is looked up by its trigrams. `offset 0` isolates the subquery, so that a wrong
 * row estimate never makes the planner scan all names in order.
 */
const containing = (pattern: string, isLeft: IsLeft, limit: number): Group => sql`
  select id, username, username_key as place
  from (
      select id, username, username_key from users
      where username_key like (select ${pattern}) and listed and not reserved and ${isLeft} offset 0
    ) as matches
  order by username_key limit ${sql.lit(limit)}`

/**
 * Two range scans instead of one `or`: each reads only the part of its index that the page needs. Addresses are in
 * lower-case hex, so those with the prefix are before the prefix with a `g`.
 */
function withAddress(prefix: string, isLeft: IsLeft, limit: number): Group {
  const having = (name: 'address' | 'eoa_address') => {
    const column = sql.ref(`accounts.${name}`)
    return sql`
      select users.id, users.username, accounts.address
      from accounts join users on users.id = accounts.user_id
      where ${column} >= ${prefix} and ${column} < ${`${prefix}g`} and users.listed and ${isLeft}
      order by ${column} limit ${sql.lit(limit)}`
  }
  return sql`
    select id, username, address as place
    from ((${having('address')}) union (${having('eoa_address')})) as matches
    order by address limit ${sql.lit(limit)}`
}
