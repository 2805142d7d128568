import { LanyardError } from '@lanyard/contracts'
import {
  batched,
  type Database,
  type OperationRow,
  perDatabase,
  type ReadOperation,
  readOperation,
} from '@lanyard/database'
import { type ExpressionBuilder, type Kysely, sql } from 'kysely'
import { type Hash, type Hex, numberToHex, size, slice } from 'viem'
import type { Candidate, Recognised, Signer, SigningAccount } from '../signers/signer.ts'
import type { SignableRow } from './sign-row.ts'

type BuiltCandidate = Candidate & Pick<OperationRow, 'user_op_hash'>

export type FoundOperation = Recognised<SignableRow>

export interface OperationName {
  readonly userOpHash?: Hash | undefined
  /** Used with `network`: the nonce of the `userOp` that the build returned. */
  readonly nonce?: bigint | undefined
  readonly network?: number | undefined
}

/** Who requests a search, and what it may cost. */
export interface SearchContext {
  /** Whose builds are compared first, as `builderOf` names the caller. */
  readonly builtBy: string
  readonly budget: SearchBudget
  readonly now: Date
}

/** A signature, and what it may be for. */
interface SignatureSearch extends SearchContext {
  /** Lower case. */
  readonly account: string
  readonly name: OperationName
  readonly signMode: OperationRow['sign_mode']
  readonly signature: Hex
}

/**
 * Finds the operation of a signature. A retry is found by the stored bytes. If the request names a hash, one
 * operation is tried. Otherwise the order is: the caller's own builds that can still be signed, signed
 * operations that are not final, the builds of all other callers. If no operation matches, the rate limit
 * charges the caller one build per comparison.
 *
 * @param signer - the kind of signature
 * @throws UNKNOWN_OPERATION, RATE_LIMITED, INVALID_SIGNATURE, SIGNATURE_OVER_TEXT, SIGNATURE_COMPACT, SIGNATURE_MALLEABLE
 */
export async function findSignedOperation(
  account: SigningAccount,
  signer: Signer,
  signature: Hex,
  name: OperationName,
  context: SearchContext,
): Promise<FoundOperation> {
  const { budget } = context
  const { database } = account
  const { signMode } = signer
  const search = { ...context, account: account.wallet.address.toLowerCase(), name, signMode, signature }
  const first = await readFirst(database, search)
  // Nothing is read or compared for an account that has no operation that fits.
  if (first.length === 0 && !(await hasOperation(database, search))) {
    throw new LanyardError('UNKNOWN_OPERATION', { message: signer.unknown })
  }
  const [likely] = first
  // Read while the signature is compared. Concurrent searches share this statement too.
  const likelyRow = likely && (likely.whole ?? readOperation(database)(likely.user_op_hash))
  likelyRow?.catch(() => {}) // handled where the row is needed
  const withRow = async ({ row: { user_op_hash }, ownerSignature }: Recognised<BuiltCandidate>) => {
    const row = await (user_op_hash === likely?.user_op_hash
      ? likelyRow
      : readOperation(database)(user_op_hash))
    // The build may have been deleted in the meantime.
    if (!row) throw new LanyardError('UNKNOWN_OPERATION')
    return { row, ownerSignature }
  }
  if (likely?.written) return withRow({ row: likely, ownerSignature: `0x${likely.written}` })

  /** Comparisons that the rate limit has charged so far: the call itself pays for one. */
  let paid = 1
  let planned = 0
  let compared = 0
  async function plan(comparisons: number): Promise<void> {
    planned += comparisons
    const cost = planned - paid
    if (cost <= 0) return
    await budget.charge(cost)
    paid = planned
  }
  async function* candidates(): AsyncGenerator<BuiltCandidate> {
    await plan(first.length)
    for (const row of first) {
      compared++
      yield row
    }
    if (search.name.userOpHash !== undefined) return
    const count = await countOthers(database, search)
    await plan(count)
    if (count > 0)
      for await (const row of readOthers(database, search)) {
        compared++
        yield row
      }
    // Meanwhile another request may have submitted the same signature: its operation is no longer a build.
    const compareAgain = new Set(first.map(({ user_op_hash }) => user_op_hash))
    for (const row of await readFirst(database, search)) if (!compareAgain.has(row.user_op_hash)) yield row
  }
  const keep = async (comparisons: number) => {
    if (paid > comparisons) await budget.refund(paid - comparisons)
  }
  try {
    const recognised = await signer.recognise(candidates(), account, signature)
    await keep(1)
    return await withRow(recognised)
  } catch (error) {
    await keep(Math.max(1, compared))
    throw error
  }
}

/**
 * The fields that are needed to try an operation, and the end of its signature when the search is for that.
 */
type FirstCandidate = BuiltCandidate & {
  readonly written: string | null
  /** Present when the row was read as a whole. */
  readonly whole?: Promise<ReadOperation>
}

/** Maximum number of signed operations to try, the latest ones: few are waiting to be final. */
const maxSigned = 64

/**
 * Limits the search to the last operations that an account signed. Operations that a nonce names are few,
 * whenever they were signed.
 */
const isRecent =
  (database: Kysely<Database>, { account, name }: SignatureSearch) =>
  ({ eb, lit }: ExpressionBuilder<Database, 'operations'>) => {
    if (name.nonce !== undefined) return eb(lit(true), '=', lit(true))
    const oldest = database
      .selectFrom('operations as recent')
      .select('recent.signed_at')
      .where('recent.account', '=', account)
      .where('recent.signed_at', 'is not', null)
      .orderBy('recent.signed_at', 'desc')
      .offset(sql.lit(maxSigned - 1))
      .limit(sql.lit(1))
    return eb('signed_at', '>=', sql<Date>`coalesce((${oldest}), '-infinity')`)
  }

/**
 * The candidates to which no third party can add: the operations with this signature, the named ones, and the
 * caller's own builds.
 */
async function readFirst(database: Kysely<Database>, search: SignatureSearch): Promise<FirstCandidate[]> {
  const { userOpHash } = search.name
  if (userOpHash !== undefined) return readNamed(database, search, userOpHash)
  const rows = await readUnnamed(database)(search)
  return rows.toSorted((a, b) => a.order - b.order || b.built_at.getTime() - a.built_at.getTime())
}

async function readNamed(
  database: Kysely<Database>,
  search: SignatureSearch,
  userOpHash: Hash,
): Promise<FirstCandidate[]> {
  const row = await readOperation(database)(userOpHash)
  if (!row || !isFitting(row, search)) return []
  const written = row.signature === null ? undefined : writtenEnd(search.signature)?.find(row.signature)
  return [{ ...row, written: written ?? null, whole: Promise.resolve(row) }]
}

/** A candidate and its place in the order. */
type OrderedCandidate = FirstCandidate & Pick<OperationRow, 'built_at'> & { readonly order: number }

/** The candidates when no hash is given. One statement serves all concurrent searches. */
const readUnnamed = perDatabase((database) =>
  batched(async (searches: readonly SignatureSearch[]): Promise<OrderedCandidate[][]> => {
    const column = <T>(value: (search: SignatureSearch) => T) => searches.map(value)
    const ends = column(({ signature }) => writtenEnd(signature))
    const ofKind = (kind: WrittenEnd['kind'], index: number) =>
      ends.map((end) => (end?.kind === kind ? (end.texts[index] ?? end.texts[0]) : null))
    const candidate = (order: number, end = sql`null::text`) => sql`
      select ${sql.lit(order)} as "order", built_at, user_op_hash, operations.network, safe_op_hash, session_key,
        ${end} as written
      from operations
      where operations.account = given.account and operations.sign_mode = given.sign_mode
        and (given.network is null or operations.network = given.network)
        and (given.nonce_key is null or (nonce_key = given.nonce_key and nonce_sequence = given.sequence))`
    const { rows } = await sql<OrderedCandidate & { readonly search: number }>`
      select given.search::int4 as search, found.* from unnest(
        ${column(({ account }) => account)}::text[], ${column(({ signMode }) => signMode)}::text[],
        ${column(({ name }) => name.network ?? null)}::int8[], ${column(({ builtBy }) => builtBy)}::text[],
        ${column(({ now }) => now)}::timestamptz[],
        ${column(({ name: { nonce } }) => (nonce === undefined ? null : nonce >> 64n))}::numeric[],
        ${column(({ name: { nonce } }) => (nonce === undefined ? null : BigInt.asUintN(64, nonce)))}::numeric[],
        ${ofKind('ecdsa', 0)}::text[], ${ofKind('ecdsa', 1)}::text[], ${ofKind('p256', 0)}::text[]
      ) with ordinality as given (
        account, sign_mode, network, built_by, now, nonce_key, sequence, ecdsa, prefixed, p256, search
      ),
      lateral (
        (${candidate(0, ecdsaEnd)} and signature is not null and ${ecdsaEnd} in (given.ecdsa, given.prefixed))
        union all
        (${candidate(0, p256End)} and signature is not null and operations.sign_mode = 'SESSION_KEY'
          and ${p256End} = given.p256)
        union all
        (${candidate(1)} and signature is null and built_by = given.built_by and build_expires_at > given.now)
        union all
        (${candidate(2)} and signature is not null and not final and signed_at >= case when given.nonce_key is null then coalesce((
            select recent.signed_at from operations recent
            where recent.account = given.account and recent.signed_at is not null
            order by recent.signed_at desc offset ${sql.lit(maxSigned - 1)} limit 1
          ), '-infinity') else '-infinity' end
          order by built_at desc limit ${sql.lit(maxSigned)})
      ) as found`.execute(database)
    return searches.map((_, index) => rows.filter(({ search }) => search === index + 1))
  }),
)

/** Number of rows per page. */
const pageSize = 256

/** The builds of all other callers, while they can be signed. */
const others = (database: Kysely<Database>, search: SignatureSearch) =>
  database
    .selectFrom('operations')
    .where(fits(search))
    .where('signature', 'is', null)
    .where('built_by', 'is distinct from', search.builtBy)
    .where('build_expires_at', '>', search.now)

async function countOthers(database: Kysely<Database>, search: SignatureSearch): Promise<number> {
  const { count } = await others(database, search)
    .select(({ fn }) => fn.countAll<number | string>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** The order is one that no caller can influence. */
async function* readOthers(
  database: Kysely<Database>,
  search: SignatureSearch,
): AsyncGenerator<BuiltCandidate> {
  for (let after = ''; ; ) {
    const page = await others(database, search)
      .select(['user_op_hash', 'network', 'safe_op_hash', 'session_key'])
      .where('user_op_hash', '>', after)
      .orderBy('user_op_hash')
      .limit(pageSize)
      .execute()
    for (const row of page) yield { ...row, searchedBy: search.builtBy }
    const last = page.at(-1)
    if (!last || page.length < pageSize) return
    after = last.user_op_hash
  }
}

/** Lengths in bytes: a signature by an EOA, and one by a P-256 session key, whose point follows it. */
const ecdsaSize = 65
const p256Size = 64

/**
 * Maps v as callers send it to the values that may be stored: 27 and 28 leave EIP-191's prefix open, 31 and
 * 32 imply it.
 */
const writtenForms = new Map([
  [0, [27, 31]],
  [1, [28, 32]],
  [27, [27, 31]],
  [28, [28, 32]],
  [31, [31]],
  [32, [32]],
])

interface WrittenEnd {
  readonly kind: 'ecdsa' | 'p256'
  /** The equivalent spellings of the end. */
  readonly texts: readonly string[]
  /** The end of a row's signature, if it is one of them. */
  find(written: string): string | undefined
}

/** SQL for the end of a row's `signature`, without the point of a P-256 key. */
const ecdsaEnd = sql<string>`right(signature, ${sql.lit(ecdsaSize * 2)})`
const p256End = sql<string>`left(right(signature, ${sql.lit(p256Size * 4)}), ${sql.lit(p256Size * 2)})`

/** Undefined for a signature that cannot be the end of any row's signature. */
function writtenEnd(signature: Hex): WrittenEnd | undefined {
  const digits = signature.slice(2).toLowerCase()
  const forms = size(signature) === ecdsaSize ? (writtenForms.get(Number(slice(signature, 64))) ?? []) : []
  if (forms.length > 0) {
    const texts = forms.map((v) => digits.slice(0, -2) + numberToHex(v).slice(2))
    return { kind: 'ecdsa', texts, find: (written) => texts.find((text) => written.endsWith(text)) }
  }
  if (size(signature) !== p256Size) return undefined
  const find = (written: string) => (written.slice(-p256Size * 4).startsWith(digits) ? digits : undefined)
  return { kind: 'p256', texts: [digits], find }
}

/**
 * Whether an operation matches the name, final ones included: if so and no candidate matches, the signature is
 * wrong. A hash names one operation, which `readFirst` has read.
 */
async function hasOperation(database: Kysely<Database>, search: SignatureSearch): Promise<boolean> {
  if (search.name.userOpHash !== undefined) return false
  const fitting = database.selectFrom('operations').select('user_op_hash').where(fits(search)).limit(1)
  const found = fitting
    .where('signature', 'is', null)
    .unionAll(({ parens }) =>
      parens(fitting.where('signed_at', 'is not', null).where(isRecent(database, search))),
    )
  return (await found.executeTakeFirst()) !== undefined
}

const fits =
  ({ account, signMode, name: { userOpHash, nonce, network } }: SignatureSearch) =>
  ({ and, eb }: ExpressionBuilder<Database, 'operations'>) =>
    and([
      eb('account', '=', account),
      eb('sign_mode', '=', signMode),
      ...(userOpHash === undefined ? [] : [eb('user_op_hash', '=', userOpHash)]),
      ...(network === undefined ? [] : [eb('network', '=', network)]),
      ...(nonce === undefined
        ? []
        : [eb('nonce_key', '=', nonce >> 64n), eb('nonce_sequence', '=', nonce & (2n ** 64n - 1n))]),
    ])

/** The same condition for a row that is already read. */
const isFitting = (
  row: OperationRow,
  { account, signMode, name: { nonce, network } }: SignatureSearch,
): boolean =>
  row.account === account &&
  row.sign_mode === signMode &&
  (network === undefined || row.network === network) &&
  (nonce === undefined ||
    (row.nonce_key === nonce >> 64n && row.nonce_sequence === BigInt.asUintN(64, nonce)))

/** A caller's budget for comparing a signature with builds. */
export interface SearchBudget {
  /**
   * Charges the rate limit for each build that will be compared. A caller with budget left may go below zero once, so that an
   * owner finds their build among any number of others.
   *
   * @throws RATE_LIMITED
   */
  charge(comparisons: number): Promise<void>
  /** Refunds the charges for a signature that matches, or for builds that were not compared. */
  refund(comparisons: number): Promise<void>
}
