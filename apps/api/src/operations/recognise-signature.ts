import { type RecoverOwnerSignatureResult, recoverOwnerSignature } from '@lanyard/accounts'
import { type ErrorCode, LanyardError } from '@lanyard/contracts'
import type { OperationRow } from '@lanyard/database'
import type { Address, Hash, Hex } from 'viem'

export interface FoundOperation {
  readonly row: OperationRow
  /** The signature as the Safe takes it: 65 bytes, v 27/28 or 31/32. */
  readonly ownerSignature: Hex
}

type SignatureFailure = Extract<RecoverOwnerSignatureResult, { ok: false }>

const failureCodes = {
  COMPACT: 'SIGNATURE_COMPACT',
  MALLEABLE: 'SIGNATURE_MALLEABLE',
  TEXT_SIGNED: 'SIGNATURE_OVER_TEXT',
  WRONG_SIGNER: 'INVALID_SIGNATURE',
  MALFORMED: 'INVALID_SIGNATURE',
} as const satisfies Record<SignatureFailure['code'], ErrorCode>

/** Who may have signed for an account. */
export interface Signatories {
  /** The EOA that the account was made with. */
  readonly owner?: Address | undefined
  /** Who owns the account on a network now; asked only when the first owner did not sign. */
  readonly laterOwners?: ((network: number) => Promise<readonly Address[]>) | undefined
}

/**
 * Of some operations, the first for which the signature is one of the account's owners'.
 *
 * @throws INVALID_SIGNATURE, SIGNATURE_OVER_TEXT, SIGNATURE_COMPACT, SIGNATURE_MALLEABLE
 */
export async function recogniseSignature(
  candidates: readonly OperationRow[],
  { owner, laterOwners }: Signatories,
  signature: Hex,
): Promise<FoundOperation> {
  const first = await matchOwners(candidates, signature, async () => (owner === undefined ? [] : [owner]))
  if (first.found) return first.found
  let failure = first.failure
  // Only "somebody else" can be mended by knowing more owners; malformed is malformed.
  if (laterOwners && (!failure || failure.code === 'WRONG_SIGNER')) {
    const later = await matchOwners(candidates, signature, laterOwners)
    if (later.found) return later.found
    failure = later.failure ?? failure
  }
  throw signatureError(failure, owner)
}

/** What is wrong with a signature, as callers read it. */
export function signatureError(failure: SignatureFailure | undefined, owner?: Address): LanyardError {
  return new LanyardError(failure ? failureCodes[failure.code] : 'INVALID_SIGNATURE', {
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
