import { LanyardError } from '@lanyard/contracts'
import {
  batched,
  type Database,
  type OperationRow,
  perDatabase,
  type ReadOperation,
  readOperation,
} from '@lanyard/database'
import { type Kysely, sql } from 'kysely'
import { type Hash, type Hex, numberToHex, size, slice } from 'viem'
import { RecentMap } from '../../../platform/recent-map.ts'
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
  const used = await readUsed(database, search)
  if (used) return used
  const first = await readFirst(database, search)
  let rest = first.length > 0 || name.userOpHash !== undefined ? undefined : await readRest(database, search)
  // Nothing is compared for an account that has no operation that fits.
  if (first.length === 0 && !rest?.fits)
    throw new LanyardError('UNKNOWN_OPERATION', { message: signer.unknown })
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
  const stored = likely && findStored(likely.signature, signature)
  if (stored) {
    rememberUsed(database, search, likely)
    return withRow({ row: likely, ownerSignature: `0x${stored}` })
  }

  /** Comparisons that the rate limit has charged so far: the call itself pays for one. */
  let paid = 1
  let planned = 0
  let compared = 0
  async function plan(comparisons: number): Promise<void> {
    planned += comparisons
    if (planned <= paid) return
    await budget.charge(planned - paid)
    paid = planned
  }
  async function* candidates(): AsyncGenerator<BuiltCandidate> {
    await plan(first.length)
    for (const row of first) {
      compared++
      yield row
    }
    if (name.userOpHash !== undefined) return
    rest ??= await readRest(database, search)
    await plan(rest.others)
    if (rest.others > 0)
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

/** The fields that are needed to try an operation. */
type FirstCandidate = BuiltCandidate & {
  /** Null unless it may be the one that is searched for. */
  readonly signature: string | null
  /** Present when the row was read as a whole. */
  readonly whole?: Promise<ReadOperation>
}

/**
 * The candidates to which no third party can add: the operations with this signature, the named ones, and the
 * caller's own builds.
 */
async function readFirst(database: Kysely<Database>, search: SignatureSearch): Promise<FirstCandidate[]> {
  const { account, signMode, name } = search
  if (name.userOpHash === undefined) return readUnnamed(database)(search)
  const row = await readOperation(database)(name.userOpHash)
  const fits =
    row?.account === account &&
    row.sign_mode === signMode &&
    (name.network ?? row.network) === row.network &&
    (name.nonce === undefined || name.nonce === ((row.nonce_key << 64n) | row.nonce_sequence))
  return fits ? [{ ...row, whole: Promise.resolve(row) }] : []
}

/** Hashes of operations, by signatures that were sent again. A signature stays that of one operation. */
const usedSignatures = perDatabase(() => new RecentMap<string, Hash>(maxUsedSignatures))

/** About 500 bytes each: only short signatures are stored. */
const maxUsedSignatures = 10_000

/** Spellings of one signature have one key, so that they take one place. */
const keyOfUsed = ({ account, signMode, signature }: SignatureSearch) =>
  [account, signMode, ...storedForms(signature)].join(' ')

function rememberUsed(
  database: Kysely<Database>,
  search: SignatureSearch,
  { user_op_hash }: FirstCandidate,
): void {
  usedSignatures(database).set(keyOfUsed(search), user_op_hash as Hash) // the column holds 0x and 64 digits
}

/** The operation of a signature that was sent again before, by its hash: the search for it takes longer than the rest. */
async function readUsed(
  database: Kysely<Database>,
  search: SignatureSearch,
): Promise<FoundOperation | undefined> {
  const userOpHash = usedSignatures(database).get(keyOfUsed(search))
  if (userOpHash === undefined || search.name.userOpHash !== undefined) return undefined
  const [used] = await readFirst(database, { ...search, name: { ...search.name, userOpHash } })
  const stored = used && findStored(used.signature, search.signature)
  const row = await used?.whole
  return row && stored ? { row, ownerSignature: `0x${stored}` } : undefined
}

/** SQL: the searches, as rows `given`, for the conditions below. */
const givenRows = (searches: readonly SignatureSearch[]) => {
  const column = <T>(value: (search: SignatureSearch) => T) => searches.map(value)
  const forms = column(({ signature }) => storedForms(signature))
  return sql`unnest(
    ${column(({ account }) => account)}::text[], ${column(({ signMode }) => signMode)}::text[],
    ${column(({ name }) => name.network ?? null)}::int8[], ${column(({ builtBy }) => builtBy)}::text[],
    ${column(({ now }) => now)}::timestamptz[],
    ${column(({ name: { nonce } }) => (nonce === undefined ? null : nonce >> 64n))}::numeric[],
    ${column(({ name: { nonce } }) => (nonce === undefined ? null : BigInt.asUintN(64, nonce)))}::numeric[],
    ${forms.map(([form]) => form ?? null)}::text[], ${forms.map(([, form]) => form ?? null)}::text[]
  ) with ordinality as given (account, sign_mode, network, built_by, now, nonce_key, sequence, form, prefixed, search)`
}

const fits = sql`operations.account = given.account and operations.sign_mode = given.sign_mode
  and (given.network is null or operations.network = given.network)
  and (given.nonce_key is null
    or (operations.nonce_key = given.nonce_key and operations.nonce_sequence = given.sequence))`

const isOpenBuild = sql`signature is null and build_expires_at > given.now`

/** Maximum number of signed operations to try, the latest ones: few are waiting to be final. */
const maxSigned = 64

/** Operations that a nonce names are few, whenever they were signed. */
const isRecent = sql`signed_at >= case when given.nonce_key is null then coalesce((
    select recent.signed_at from operations recent
    where recent.account = given.account and recent.signed_at is not null
    order by recent.signed_at desc offset ${sql.lit(maxSigned - 1)} limit 1
  ), '-infinity') else '-infinity' end`

/** Lengths in bytes: a signature by an EOA, and one by a P-256 session key, whose point follows it. */
const ecdsaSize = 65
const p256Size = 64

const isStored = sql`right(signature, ${sql.lit(ecdsaSize * 2)}) in (given.form, given.prefixed)`
const isStoredP256 = sql`left(right(signature, ${sql.lit(p256Size * 4)}), ${sql.lit(p256Size * 2)}) = given.form`

/** The candidates when no hash is given, the likeliest first. One statement serves all concurrent searches. */
const readUnnamed = perDatabase((database) =>
  batched(async (searches: readonly SignatureSearch[]): Promise<FirstCandidate[][]> => {
    const candidate = (order: number, signature = sql`null::text`) => sql`
      select ${sql.lit(order)} as "order", built_at, user_op_hash, operations.network, safe_op_hash, session_key,
        ${signature} as signature
      from operations where ${fits}`
    const { rows } = await sql<FoundRow>`with found as (
      select given.search::int4 as search, found.*,
        row_number() over (partition by given.search order by "order", built_at desc) as place
      from ${givenRows(searches)}, lateral (
        (${candidate(0, sql`signature`)} and signature is not null and ${isStored})
        union all
        (${candidate(0, sql`signature`)} and signature is not null and operations.sign_mode = 'SESSION_KEY'
          and ${isStoredP256})
        union all
        (${candidate(1)} and ${isOpenBuild} and operations.built_by = given.built_by)
        union all
        (${candidate(2)} and signature is not null and not final and ${isRecent}
          order by built_at desc limit ${sql.lit(maxSigned)})
      ) as found
    )
    -- The whole row of the likeliest one. A row holds up to 127 kB, so the others are read if they are needed.
    select operations.*, accounts.signatures as account_signatures, found.search,
      jsonb_build_object('user_op_hash', found.user_op_hash, 'network', found.network,
        'safe_op_hash', found.safe_op_hash, 'session_key', found.session_key, 'signature', found.signature) as candidate
    from found
      left join operations on found.place = 1 and operations.user_op_hash = found.user_op_hash
      left join accounts on accounts.address = operations.account
    order by found.place`.execute(database)
    return searches.map((_, index) =>
      rows
        .filter(({ search }) => search === index + 1)
        .map(({ candidate: found, search: _, ...whole }) =>
          whole.user_op_hash === null ? found : { ...found, whole: Promise.resolve(whole) },
        ),
    )
  }),
)

/** A candidate, and of the first one the whole row; its columns are null in the others. */
type FoundRow = (ReadOperation | { readonly user_op_hash: null }) & {
  readonly search: number
  readonly candidate: Omit<FirstCandidate, 'whole'>
}

const isOfOthers = sql`${isOpenBuild} and operations.built_by is distinct from given.built_by`

/**
 * The number of builds of all other callers, while they can be signed; and whether any operation fits, final ones
 * included: if so and no candidate matches, the signature is wrong.
 */
async function readRest(database: Kysely<Database>, search: SignatureSearch) {
  const {
    rows: [rest = { others: 0, fits: false }],
  } = await sql<{ readonly others: number; readonly fits: boolean }>`
    select (select count(*)::int4 from operations where ${fits} and ${isOfOthers}) as others,
      exists (select from operations where ${fits} and signature is null)
        or exists (select from operations where ${fits} and ${isRecent}) as fits
    from ${givenRows([search])}`.execute(database)
  return rest
}

/** Number of rows per page. */
const pageSize = 256

/** The builds of all other callers, in an order that no caller can influence. */
async function* readOthers(
  database: Kysely<Database>,
  search: SignatureSearch,
): AsyncGenerator<BuiltCandidate> {
  for (let after = ''; ; ) {
    const { rows } = await sql<BuiltCandidate>`
      select user_op_hash, operations.network, safe_op_hash, session_key from ${givenRows([search])}, operations
      where ${fits} and ${isOfOthers} and user_op_hash > ${after}
      order by user_op_hash limit ${sql.lit(pageSize)}`.execute(database)
    for (const row of rows) yield { ...row, searchedBy: search.builtBy }
    const last = rows.at(-1)
    if (!last || rows.length < pageSize) return
    after = last.user_op_hash
  }
}

/**
 * Maps v as callers send it to the values that may be stored: 27 and 28 leave EIP-191's prefix open, 31 and
 * 32 imply it.
 */
const storedV = new Map([
  [0, [27, 31]],
  [1, [28, 32]],
  [27, [27, 31]],
  [28, [28, 32]],
  [31, [31]],
  [32, [32]],
])

/** The equivalent spellings of a signature at the end of a row's. None if it cannot be the end of any. */
function storedForms(signature: Hex): string[] {
  const digits = signature.slice(2).toLowerCase()
  if (size(signature) === p256Size) return [digits]
  if (size(signature) !== ecdsaSize) return []
  const values = storedV.get(Number(slice(signature, 64))) ?? []
  return values.map((v) => digits.slice(0, -2) + numberToHex(v).slice(2))
}

/** The spelling of the signature in a row: present for a caller's retry. */
function findStored(stored: string | null, signature: Hex): string | undefined {
  const isEnd = (form: string) =>
    form.length === p256Size * 2 ? stored?.slice(-p256Size * 4).startsWith(form) : stored?.endsWith(form)
  return storedForms(signature).find(isEnd)
}

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
