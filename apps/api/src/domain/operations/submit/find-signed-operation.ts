import { LanyardError } from '@lanyard/contracts'
import {
  batched,
  type Database,
  type OperationRow,
  perDatabase,
  type ReadOperation,
  readOperation,
} from '@lanyard/database'
import { type ExpressionBuilder, type Kysely, type RawBuilder, sql } from 'kysely'
import { type Hash, type Hex, numberToHex, size, slice } from 'viem'
import {
  type Candidate,
  type FoundOperation,
  type Recognised,
  recogniseSignature,
  type Signatories,
} from './recognise-signature.ts'
import type { SearchBudget } from './search-budget.ts'

export interface OperationName {
  readonly userOpHash?: Hash | undefined
  /** With `network`: the nonce of the `userOp` that build answered. */
  readonly nonce?: bigint | undefined
  readonly network?: number | undefined
}

/** Who asks for a search, and what it may cost. */
export interface SearchContext {
  /** Whose builds are compared first, as `builderOf` names them. */
  readonly builtBy: string
  readonly budget: SearchBudget
  readonly now: Date
}

/** The account that a signature is for, and who may have made it. */
export interface SignedAccount extends Signatories {
  readonly address: string
}

/**
 * Finds the operation of an account that an EOA owner signed: the one that has this very signature, else, of those that
 * the name fits, the first for which it is valid.
 *
 * @throws UNKNOWN_OPERATION, INVALID_SIGNATURE, SIGNATURE_OVER_TEXT, SIGNATURE_COMPACT, SIGNATURE_MALLEABLE,
 * RATE_LIMITED
 */
export const findSignedOperation = (
  database: Kysely<Database>,
  { address, ...signatories }: SignedAccount,
  signature: Hex,
  name: OperationName,
  context: SearchContext,
): Promise<FoundOperation> =>
  findOperation(
    database,
    {
      ...context,
      account: address.toLowerCase(),
      name,
      signMode: 'ECDSA',
      signature,
      unknown: 'No operation of this wallet fits. Build one first; a build can be signed for ten minutes.',
    },
    (candidates) => recogniseSignature(candidates, signatories, signature),
  )

export interface SignatureSearch extends SearchContext {
  /** Lower case. */
  readonly account: string
  readonly name: OperationName
  readonly signMode: OperationRow['sign_mode']
  readonly signature: Hex
  /** What is said where there is no operation at all. */
  readonly unknown: string
}

/**
 * Finds the operation of a signature. A retry is found by the bytes that are written down. With its hash, one
 * operation is tried; without, the caller's own builds that can still be signed, then what is signed and not final, then
 * the builds of all others. A signature that fits nothing costs its caller as many builds of the rate limit as were
 * compared.
 *
 * @param recognise - tries the candidates; throws when it is none of them
 * @throws UNKNOWN_OPERATION, RATE_LIMITED, and what `recognise` throws
 */
export async function findOperation(
  database: Kysely<Database>,
  search: SignatureSearch,
  recognise: (candidates: AsyncIterable<Candidate>) => Promise<Recognised>,
): Promise<FoundOperation> {
  const { budget } = search
  const first = await readFirst(database, search)
  const [likely] = first
  // Read while the signature is compared: those who search at once have this in common, too.
  const likelyRow = likely && (likely.whole ?? readOperation(database)(likely.user_op_hash))
  likelyRow?.catch(() => {}) // heard of where it is needed
  const withRow = async ({ row: { user_op_hash }, ownerSignature }: Recognised): Promise<FoundOperation> => {
    const row = await (user_op_hash === likely?.user_op_hash
      ? likelyRow
      : readOperation(database)(user_op_hash))
    // A build may be deleted meanwhile.
    if (!row) throw new LanyardError('UNKNOWN_OPERATION')
    return { row, ownerSignature }
  }
  if (likely?.written) return withRow({ row: likely, ownerSignature: `0x${likely.written}` })

  /** Comparisons for which builds of the rate limit are taken: the call itself took one. */
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
  async function* candidates(): AsyncGenerator<Candidate> {
    await plan(first.length)
    for (const row of first) {
      compared++
      yield row
    }
    if (search.name.userOpHash !== undefined) return
    await plan(await countOthers(database, search))
    for await (const row of readOthers(database, search)) {
      compared++
      yield row
    }
  }
  const keep = async (comparisons: number) => {
    if (paid > comparisons) await budget.refund(paid - comparisons)
  }
  try {
    const recognised = await recognise(candidates())
    await keep(1)
    return await withRow(recognised)
  } catch (error) {
    await keep(Math.max(1, compared))
    if (compared > 0 || (await hasOperation(database, search))) throw error
    throw new LanyardError('UNKNOWN_OPERATION', { message: search.unknown })
  }
}

/** What is read of an operation to try it, and its signature's end where that is what is searched. */
type FirstCandidate = Candidate & {
  readonly written: string | null
  /** Where it was read as a whole. */
  readonly whole?: Promise<ReadOperation>
}

/** How many signed operations are tried, the last ones: few wait to be final. */
const maxSigned = 64

/** Among the last that an account signed. Those that a nonce names are few, whenever they were signed. */
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

/** The candidates that no third party can add to: what has the signature or is named, and what the caller built. */
async function readFirst(database: Kysely<Database>, search: SignatureSearch): Promise<FirstCandidate[]> {
  const { userOpHash, nonce } = search.name
  if (userOpHash !== undefined) return readNamed(database, search, userOpHash)
  const rows = nonce === undefined ? await readRecent(database)(search) : await readAtNonce(database, search)
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

/** A candidate, and when it is its turn. */
type OrderedCandidate = FirstCandidate & Pick<OperationRow, 'built_at'> & { readonly order: number }

/** What is looked through where neither a hash nor a nonce names it. All that are asked for at once are read by one statement. */
const readRecent = perDatabase((database) =>
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
        and (given.network is null or operations.network = given.network)`
    const { rows } = await sql<OrderedCandidate & { readonly search: number }>`
      select given.search::int4 as search, found.* from unnest(
        ${column(({ account }) => account)}::text[], ${column(({ signMode }) => signMode)}::text[],
        ${column(({ name }) => name.network ?? null)}::int8[], ${column(({ builtBy }) => builtBy)}::text[],
        ${column(({ now }) => now)}::timestamptz[],
        ${ofKind('ecdsa', 0)}::text[], ${ofKind('ecdsa', 1)}::text[], ${ofKind('p256', 0)}::text[]
      ) with ordinality as given (account, sign_mode, network, built_by, now, ecdsa, prefixed, p256, search),
      lateral (
        (${candidate(0, ecdsaEnd)} and signature is not null and ${ecdsaEnd} in (given.ecdsa, given.prefixed))
        union all
        (${candidate(0, p256End)} and signature is not null and operations.sign_mode = 'SESSION_KEY'
          and ${p256End} = given.p256)
        union all
        (${candidate(1)} and signature is null and built_by = given.built_by and build_expires_at > given.now)
        union all
        (${candidate(2)} and signature is not null and not final and signed_at >= coalesce((
            select recent.signed_at from operations recent
            where recent.account = given.account and recent.signed_at is not null
            order by recent.signed_at desc offset ${sql.lit(maxSigned - 1)} limit 1
          ), '-infinity')
          order by built_at desc limit ${sql.lit(maxSigned)})
      ) as found`.execute(database)
    return searches.map((_, index) => rows.filter(({ search }) => search === index + 1))
  }),
)

function readAtNonce(database: Kysely<Database>, search: SignatureSearch): Promise<OrderedCandidate[]> {
  const written = writtenEnd(search.signature)
  const select = (order: number, end: RawBuilder<string | null>) =>
    database
      .selectFrom('operations')
      .where(fits(search))
      .select([sql<number>`${sql.lit(order)}`.as('order'), 'built_at'])
      .select(['user_op_hash', 'network', 'safe_op_hash', 'session_key', end.as('written')])
  const none = sql<string | null>`null::text`
  const own = select(1, none)
    .where('signature', 'is', null)
    .where('built_by', '=', search.builtBy)
    .where('build_expires_at', '>', search.now)
  const signed = select(2, none)
    .where('signature', 'is not', null)
    .where('final', '=', sql.lit(false))
    .orderBy('built_at', 'desc')
    .limit(maxSigned)
  const both = own.unionAll(({ parens }) => parens(signed))
  if (!written) return both.execute()
  const end = written.kind === 'ecdsa' ? ecdsaEnd : p256End
  const isSame = sql<boolean>`${end} in (${sql.join(written.texts)})`
  return both.unionAll(select(0, end).where('signature', 'is not', null).where(isSame)).execute()
}

/** Rows of a page. */
const pageSize = 256

/** What everybody else built, as long as it can be signed. */
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

/** In an order that nobody can choose. */
async function* readOthers(database: Kysely<Database>, search: SignatureSearch): AsyncGenerator<Candidate> {
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

/** Bytes of a signature by an EOA, and by a P-256 session key, whose point follows it. */
const ecdsaSize = 65
const p256Size = 64

/** By v, as callers write it, what may be written down: 27 and 28 say nothing about EIP-191's prefix, 31 and 32 do. */
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
  /** What the end may be, in forms that mean the same. */
  readonly texts: readonly string[]
  /** The end of a row's signature, where it is one of them. */
  find(written: string): string | undefined
}

/** Of a row of operations: what its `signature` ends with, without the point of a P-256 key. */
const ecdsaEnd = sql<string>`right(signature, ${sql.lit(ecdsaSize * 2)})`
const p256End = sql<string>`left(right(signature, ${sql.lit(p256Size * 4)}), ${sql.lit(p256Size * 2)})`

/** Undefined for what no row ends with. */
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

/** Where there is one, it is the signature that is wrong. */
async function hasOperation(database: Kysely<Database>, search: SignatureSearch): Promise<boolean> {
  const fitting = database.selectFrom('operations').select('user_op_hash').where(fits(search)).limit(1)
  const found =
    search.name.userOpHash === undefined
      ? fitting
          .where('signature', 'is', null)
          .unionAll(({ parens }) =>
            parens(fitting.where('signed_at', 'is not', null).where(isRecent(database, search))),
          )
      : fitting
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

/** The same of a row that is read already. */
const isFitting = (
  row: OperationRow,
  { account, signMode, name: { nonce, network } }: SignatureSearch,
): boolean =>
  row.account === account &&
  row.sign_mode === signMode &&
  (network === undefined || row.network === network) &&
  (nonce === undefined ||
    (row.nonce_key === nonce >> 64n && row.nonce_sequence === BigInt.asUintN(64, nonce)))
