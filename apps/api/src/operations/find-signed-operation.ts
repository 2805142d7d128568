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

/** The account that a signature is for, and who may have made it. */
export interface SignedAccount {
  readonly address: string
  /** The EOA that the account was made with. */
  readonly owner?: Address | undefined
  /** Who owns the account on a network now; asked only when the first owner did not sign. */
  readonly laterOwners?: ((network: number) => Promise<readonly Address[]>) | undefined
}

/**
 * Finds the operation of an account that an EOA owner signed: by the name given, else the one for which the
 * signature is valid. Pending ones come first, then those submitted before, so that a retry finds the same one.
 *
 * @throws UNKNOWN_OPERATION, INVALID_SIGNATURE, SIGNATURE_OVER_TEXT, SIGNATURE_COMPACT, SIGNATURE_MALLEABLE
 */
export async function findSignedOperation(
  database: Kysely<Database>,
  { address, owner, laterOwners }: SignedAccount,
  signature: Hex,
  name: OperationName,
): Promise<FoundOperation> {
  const candidates = await findCandidates(database, address.toLowerCase(), name)
  if (candidates.length === 0) {
    throw new LanyardError('UNKNOWN_OPERATION', {
      message: 'No operation of this wallet fits. Build one first; a build can be signed for ten minutes.',
    })
  }
  const first = await matchOwners(candidates, signature, async () => (owner === undefined ? [] : [owner]))
  if (first.found) return first.found
  let failure = first.failure
  // Only "somebody else" can be mended by knowing more owners; malformed is malformed.
  if (laterOwners && (!failure || failure.code === 'WRONG_SIGNER')) {
    const later = await matchOwners(candidates, signature, laterOwners)
    if (later.found) return later.found
    failure = later.failure ?? failure
  }
  throw new LanyardError(failure ? failureCodes[failure.code] : 'INVALID_SIGNATURE', {
    ...(failure?.code === 'MALFORMED' && { message: failure.message }),
    ...(owner !== undefined && { details: { owner } }),
  })
}

type Match =
  | { readonly found: FoundOperation }
  | { readonly found?: undefined; readonly failure: SignatureFailure | undefined }

async function matchOwners(
  candidates: readonly OperationRow[],
  signature: Hex,
  ownersOn: (network: number) => Promise<readonly Address[]>,
): Promise<Match> {
  const asked = new Map<number, Promise<readonly Address[]>>()
  let failure: SignatureFailure | undefined
  for (const row of candidates) {
    const owners = asked.get(row.network) ?? ownersOn(row.network)
    asked.set(row.network, owners)
    for (const owner of await owners) {
      const hash = row.safe_op_hash as Hash // the column holds 0x and 64 digits
      const result = await recoverOwnerSignature({ hash, owner, signature })
      if (result.ok) return { found: { row, ownerSignature: result.signature } }
      // A failure that names what is wrong says more than "not this one".
      if (!failure || failure.code === 'WRONG_SIGNER') failure = result
    }
  }
  return { failure }
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
