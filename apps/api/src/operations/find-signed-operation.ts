import { LanyardError } from '@lanyard/contracts'
import type { Database, OperationRow } from '@lanyard/database'
import type { Kysely } from 'kysely'
import type { Hash, Hex } from 'viem'
import { type FoundOperation, recogniseSignature, type Signatories } from './recognise-signature.ts'

export interface OperationName {
  readonly userOpHash?: Hash | undefined
  /** With `network`: the nonce of the `userOp` that build answered. */
  readonly nonce?: bigint | undefined
  readonly network?: number | undefined
}

/** How many past operations a signature may be compared with when it fits no pending one. */
const longestSearch = 256

/** The account that a signature is for, and who may have made it. */
export interface SignedAccount extends Signatories {
  readonly address: string
}

/**
 * Finds the operation of an account that an EOA owner signed: by the name given, else the one for which the
 * signature is valid. Pending ones come first, then those submitted before, so that a retry finds the same one.
 *
 * @throws UNKNOWN_OPERATION, INVALID_SIGNATURE, SIGNATURE_OVER_TEXT, SIGNATURE_COMPACT, SIGNATURE_MALLEABLE
 */
export async function findSignedOperation(
  database: Kysely<Database>,
  { address, ...signatories }: SignedAccount,
  signature: Hex,
  name: OperationName,
): Promise<FoundOperation> {
  const candidates = await findCandidates(database, address.toLowerCase(), name, 'ECDSA')
  if (candidates.length === 0) {
    throw new LanyardError('UNKNOWN_OPERATION', {
      message: 'No operation of this wallet fits. Build one first; a build can be signed for ten minutes.',
    })
  }
  return recogniseSignature(candidates, signatories, signature)
}

/** The operations of an account that a name fits: unsigned builds first, then the newest. */
export async function findCandidates(
  database: Kysely<Database>,
  account: string,
  { userOpHash, nonce, network }: OperationName,
  signMode: OperationRow['sign_mode'],
): Promise<OperationRow[]> {
  let query = database
    .selectFrom('operations')
    .selectAll()
    .where('account', '=', account)
    .where('sign_mode', '=', signMode)
  if (userOpHash !== undefined) query = query.where('user_op_hash', '=', userOpHash)
  if (network !== undefined) query = query.where('network', '=', network)
  if (nonce !== undefined) {
    query = query.where('nonce_key', '=', nonce >> 64n).where('nonce_sequence', '=', nonce & (2n ** 64n - 1n))
  }
  return query
    .orderBy(({ eb }) => eb('state', '=', 'built'), 'desc')
    .orderBy('built_at', 'desc')
    .limit(longestSearch)
    .execute()
}
