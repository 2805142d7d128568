import { LanyardError } from '@lanyard/contracts'
import { type Database, type OperationRow, readOperation } from '@lanyard/database'
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
  const [written] = first
  if (written?.written) return withRow(database, { row: written, ownerSignature: `0x${written.written}` })

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
    return await withRow(database, recognised)
  } catch (error) {
    await keep(Math.max(1, compared))
    if (compared > 0 || (await hasOperation(database, search))) throw error
    throw new LanyardError('UNKNOWN_OPERATION', { message: search.unknown })
  }
}

/** What is read of an operation to try it, and its signature's end where that is what is searched. */
type FirstCandidate = Candidate & { readonly written: string | null }

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
  const { name, signature, builtBy, now } = search
  const written = writtenEnd(signature)
  const select = (order: number, end: RawBuilder<string | null>) =>
    database
      .selectFrom('operations')
      .where(fits(search))
      .select([sql<number>`${sql.lit(order)}`.as('order'), 'built_at'])
      .select(['user_op_hash', 'network', 'safe_op_hash', 'session_key', end.as('written')])
  const none = sql<string | null>`null::text`
  const isSame = written && sql<string | null>`case when ${written.isSame} then ${written.end} end`
  if (name.userOpHash !== undefined) return select(0, isSame ?? none).execute()

  const own = select(1, none)
    .where('signature', 'is', null)
    .where('built_by', '=', builtBy)
    .where('build_expires_at', '>', now)
  const signed = select(2, none)
    .where('signature', 'is not', null)
    .where(isRecent(database, search))
    .where('final', '=', sql.lit(false))
    .orderBy('built_at', 'desc')
    .limit(maxSigned)
  const both = own.unionAll(({ parens }) => parens(signed))
  const rows = written
    ? await both
        .unionAll(select(0, written.end).where('signature', 'is not', null).where(written.isSame))
        .execute()
    : await both.execute()
  return rows.toSorted((a, b) => a.order - b.order || b.built_at.getTime() - a.built_at.getTime())
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
  /** What a row's `signature` ends with, without the point of a P-256 key. */
  readonly end: RawBuilder<string>
  /** Whether that are the bytes of the search, in a form that means the same. */
  readonly isSame: RawBuilder<boolean>
}

/** Undefined for what no row ends with. */
function writtenEnd(signature: Hex): WrittenEnd | undefined {
  const digits = signature.slice(2).toLowerCase()
  const forms = size(signature) === ecdsaSize ? (writtenForms.get(Number(slice(signature, 64))) ?? []) : []
  if (forms.length > 0) {
    const texts = forms.map((v) => digits.slice(0, -2) + numberToHex(v).slice(2))
    const end = sql<string>`right(signature, ${sql.lit(ecdsaSize * 2)})`
    return { end, isSame: sql<boolean>`${end} in (${sql.join(texts)})` }
  }
  if (size(signature) !== p256Size) return undefined
  const end = sql<string>`left(right(signature, ${sql.lit(p256Size * 4)}), ${sql.lit(p256Size * 2)})`
  return { end, isSame: sql<boolean>`${end} = ${digits}` }
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

/** The whole row of what was recognised: with its call data it may be long. */
async function withRow(
  database: Kysely<Database>,
  { row: { user_op_hash }, ownerSignature }: Recognised,
): Promise<FoundOperation> {
  const row = await readOperation(database)(user_op_hash)
  // A build may be deleted meanwhile.
  if (!row) throw new LanyardError('UNKNOWN_OPERATION')
  return { row, ownerSignature }
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
