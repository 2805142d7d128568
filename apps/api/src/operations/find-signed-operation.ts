import { LanyardError } from '@lanyard/contracts'
import type { Database, OperationRow } from '@lanyard/database'
import { type ExpressionBuilder, type Kysely, sql } from 'kysely'
import { type Hash, type Hex, numberToHex, size, slice } from 'viem'
import {
  type Candidate,
  type FoundOperation,
  type Recognised,
  recogniseSignature,
  type Signatories,
} from './recognise-signature.ts'

export interface OperationName {
  readonly userOpHash?: Hash | undefined
  /** With `network`: the nonce of the `userOp` that build answered. */
  readonly nonce?: bigint | undefined
  readonly network?: number | undefined
}

/** With how many operations a signature is compared that is not written down yet. */
const longestSearch = 128

/** The account that a signature is for, and who may have made it. */
export interface SignedAccount extends Signatories {
  readonly address: string
}

/**
 * Finds the operation of an account that an EOA owner signed: the one that has this very signature, else, of those that
 * the name fits, the first for which it is valid. Unsigned builds come first, then the newest.
 *
 * @throws UNKNOWN_OPERATION, INVALID_SIGNATURE, SIGNATURE_OVER_TEXT, SIGNATURE_COMPACT, SIGNATURE_MALLEABLE
 */
export const findSignedOperation = (
  database: Kysely<Database>,
  { address, ...signatories }: SignedAccount,
  signature: Hex,
  name: OperationName,
): Promise<FoundOperation> =>
  findOperation(
    database,
    {
      account: address.toLowerCase(),
      name,
      signMode: 'ECDSA',
      signature,
      unknown: 'No operation of this wallet fits. Build one first; a build can be signed for ten minutes.',
    },
    (candidates) => recogniseSignature(candidates, signatories, signature),
  )

export interface SignatureSearch {
  /** Lower case. */
  readonly account: string
  readonly name: OperationName
  readonly signMode: OperationRow['sign_mode']
  readonly signature: Hex
  /** What is said where there is no operation at all. */
  readonly unknown: string
}

/**
 * Finds the operation of a signature. A retry is found by the bytes that are written down; only what is unsigned, or not
 * final, is tried, unless its hash names it.
 *
 * @param recognise - tries the candidates; throws when it is none of them
 * @throws UNKNOWN_OPERATION, and what `recognise` throws
 */
export async function findOperation(
  database: Kysely<Database>,
  search: SignatureSearch,
  recognise: (candidates: readonly Candidate[]) => Promise<Recognised>,
): Promise<FoundOperation> {
  const { name, signature } = search
  const written = writtenEnd(signature)
  let query = database
    .selectFrom('operations')
    .select(['user_op_hash', 'network', 'safe_op_hash', 'session_key', written.as('written')])
    .where(fits(search))
  if (name.userOpHash === undefined) {
    query = query.where(({ eb, or }) =>
      or([eb('signature', 'is', null), eb('final', '=', false), eb(written, 'is not', null)]),
    )
  }
  const candidates = await query
    .orderBy(({ eb }) => eb(written, 'is not', null), 'desc')
    .orderBy(({ eb }) => eb('state', '=', 'built'), 'desc')
    .orderBy('built_at', 'desc')
    .limit(longestSearch)
    .execute()
  const [first] = candidates
  if (first && first.written !== null) {
    return withRow(database, { row: first, ownerSignature: `0x${first.written}` })
  }
  if (!first && !(await hasOperation(database, search))) {
    throw new LanyardError('UNKNOWN_OPERATION', { message: search.unknown })
  }
  return withRow(database, await recognise(candidates))
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

/** What a row's `signature` ends with, where that are these bytes, in a form that means the same; else null. */
function writtenEnd(signature: Hex) {
  const digits = signature.slice(2).toLowerCase()
  const forms = size(signature) === ecdsaSize ? (writtenForms.get(Number(slice(signature, 64))) ?? []) : []
  if (forms.length > 0) {
    const texts = forms.map((v) => digits.slice(0, -2) + numberToHex(v).slice(2))
    const end = sql<string>`right(signature, ${sql.lit(ecdsaSize * 2)})`
    return sql<string | null>`case when ${end} in (${sql.join(texts)}) then ${end} end`
  }
  if (size(signature) !== p256Size) return sql<string | null>`null::text`
  const end = sql<string>`left(right(signature, ${sql.lit(p256Size * 4)}), ${sql.lit(p256Size * 2)})`
  return sql<string | null>`case when ${end} = ${digits} then ${end} end`
}

/** Where there is one, it is the signature that is wrong. */
async function hasOperation(database: Kysely<Database>, search: SignatureSearch): Promise<boolean> {
  const row = await database
    .selectFrom('operations')
    .select('user_op_hash')
    .where(fits(search))
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** The whole row of what was recognised: with its call data it may be long. */
async function withRow(
  database: Kysely<Database>,
  { row: { user_op_hash }, ownerSignature }: Recognised,
): Promise<FoundOperation> {
  const row = await database
    .selectFrom('operations')
    .selectAll()
    .where('user_op_hash', '=', user_op_hash)
    .executeTakeFirstOrThrow()
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
