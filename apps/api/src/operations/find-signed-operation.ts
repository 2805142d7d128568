import { type RecoverOwnerSignatureResult, recoverOwnerSignature } from '@lanyard/accounts'
import { type ErrorCode, LanyardError } from '@lanyard/contracts'
import type { Database, OperationRow } from '@lanyard/database'
import type { Kysely } from 'kysely'
import type { Address, Hash, Hex } from 'viem'

export interface OperationName {
  readonly userOpHash?: Hash | undefined
  /** With `network`: the nonce of the `userOp` that build answered. */
  readonly nonce?: bigint | undefined
  readonly network?: number | undefined
}

export interface FoundOperation {
  readonly row: OperationRow
  /** The signature as the Safe takes it: 65 bytes, v 27/28 or 31/32. */
  readonly ownerSignature: Hex
}

/** How many past operations a signature may be compared with when it fits no pending one. */
const longestSearch = 256

type SignatureFailure = Extract<RecoverOwnerSignatureResult, { ok: false }>

const failureCodes = {
  COMPACT: 'SIGNATURE_COMPACT',
  MALLEABLE: 'SIGNATURE_MALLEABLE',
  TEXT_SIGNED: 'SIGNATURE_OVER_TEXT',
  WRONG_SIGNER: 'INVALID_SIGNATURE',
  MALFORMED: 'INVALID_SIGNATURE',
} as const satisfies Record<SignatureFailure['code'], ErrorCode>

/**
 * Finds the operation of an account that its EOA owner signed: by the name given, else the one for which the
 * signature is valid. Pending ones come first, then those submitted before, so that a retry finds the same one.
 *
 * @throws UNKNOWN_OPERATION, INVALID_SIGNATURE, SIGNATURE_OVER_TEXT, SIGNATURE_COMPACT, SIGNATURE_MALLEABLE
 */
export async function findSignedOperation(
  database: Kysely<Database>,
  account: { readonly address: string; readonly owner: Address },
  signature: Hex,
  name: OperationName,
): Promise<FoundOperation> {
  const candidates = await findCandidates(database, account.address.toLowerCase(), name)
  if (candidates.length === 0) {
    throw new LanyardError('UNKNOWN_OPERATION', {
      message: 'No operation of this wallet fits. Build one first; a build can be signed for ten minutes.',
    })
  }
  let failure: SignatureFailure | undefined
  for (const row of candidates) {
    const result = await recoverOwnerSignature({
      hash: row.safe_op_hash as Hash, // the column holds 0x and 64 digits
      owner: account.owner,
      signature,
    })
    if (result.ok) return { row, ownerSignature: result.signature }
    // A failure that names what is wrong says more than "not this one".
    if (!failure || failure.code === 'WRONG_SIGNER') failure = result
  }
  throw new LanyardError(failure ? failureCodes[failure.code] : 'INVALID_SIGNATURE', {
    ...(failure?.code === 'MALFORMED' && { message: failure.message }),
    details: { owner: account.owner },
  })
}

async function findCandidates(
  database: Kysely<Database>,
  account: string,
  { userOpHash, nonce, network }: OperationName,
): Promise<OperationRow[]> {
  let query = database
    .selectFrom('operations')
    .selectAll()
    .where('account', '=', account)
    .where('sign_mode', '=', 'ECDSA')
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
