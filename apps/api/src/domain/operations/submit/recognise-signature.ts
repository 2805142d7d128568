import { type RecoverOwnerSignatureResult, recoverOwnerSignature } from '@lanyard/accounts'
import { recoverFast } from '@lanyard/accounts/recover'
import { type ErrorCode, LanyardError } from '@lanyard/contracts'
import type { OperationRow } from '@lanyard/database'
import { type Address, getAddress, type Hash, type Hex, zeroAddress } from 'viem'
import { inSpareTime, runSerially } from './comparing-turns.ts'
import type { SignableRow } from './sign-row.ts'

/** What is read of an operation to see whether a signature is for it. */
export type Candidate = Pick<OperationRow, 'user_op_hash' | 'network' | 'safe_op_hash' | 'session_key'> & {
  /** Who searches, where it is one of the many that others built: then it is tried in spare time. */
  readonly searchedBy?: string
}

/** Tries a candidate: at once, or in spare time. */
export const tryInTurn = <T>({ searchedBy }: Candidate, work: () => Promise<T>): Promise<T> =>
  searchedBy === undefined ? runSerially(work) : inSpareTime(searchedBy, work)

export interface Recognised<Row extends Candidate = Candidate> {
  readonly row: Row
  /** The signature as the Safe takes it: 65 bytes, v 27/28 or 31/32. */
  readonly ownerSignature: Hex
}

export type FoundOperation = Recognised<SignableRow>

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

/** Operations to try, read as they are needed. */
export type Candidates<Row extends Candidate> = Iterable<Row> | AsyncIterable<Row>

/**
 * Of some operations, the first for which the signature is one of the account's owners'.
 *
 * @throws INVALID_SIGNATURE, SIGNATURE_OVER_TEXT, SIGNATURE_COMPACT, SIGNATURE_MALLEABLE
 */
export async function recogniseSignature<Row extends Candidate>(
  candidates: Candidates<Row>,
  { owner, laterOwners }: Signatories,
  signature: Hex,
): Promise<Recognised<Row>> {
  const others: SignedByOther<Row>[] = []
  let failure: SignatureFailure | undefined
  for await (const row of candidates) {
    const result = await recoverFor(row, owner ?? nobody, signature)
    if (result.ok) return { row, ownerSignature: result.signature }
    if (result.code === 'WRONG_SIGNER') others.push({ row, ...result.recovered })
    // A failure that names what is wrong says more than "not this one".
    if (!failure || failure.code === 'WRONG_SIGNER') failure = result
    // What is malformed is so for every operation.
    if (result.code !== 'WRONG_SIGNER' && result.code !== 'TEXT_SIGNED') break
  }
  // Only "somebody else" can be repaired by knowing more owners.
  if (laterOwners && failure?.code === 'WRONG_SIGNER') {
    const later = await matchLaterOwners(others, signature, laterOwners)
    if (later && 'row' in later) return later
    failure = later ?? failure
  }
  throw signatureError(failure, owner)
}

const recoverFor = (row: Candidate, owner: Address, signature: Hex) =>
  tryInTurn(row, () =>
    recoverOwnerSignature({
      hash: row.safe_op_hash as Hash, // the column holds 0x and 64 digits
      owner,
      signature,
      recover: recoverFast,
      // Worth its time where the caller may have made the mistake.
      triesText: row.searchedBy === undefined,
    }),
  )

/** What is wrong with a signature, as callers read it. */
export function signatureError(failure: SignatureFailure | undefined, owner?: Address): LanyardError {
  return new LanyardError(failure ? failureCodes[failure.code] : 'INVALID_SIGNATURE', {
    ...(failure?.code === 'MALFORMED' && { message: failure.message }),
    ...(owner !== undefined && { details: { owner } }),
  })
}

/** The owner of an account that no EOA made: no key has this address. */
const nobody: Address = zeroAddress

/** An operation, and who would have signed it, in each form. */
type SignedByOther<Row extends Candidate> = { readonly row: Row } & Extract<
  SignatureFailure,
  { code: 'WRONG_SIGNER' }
>['recovered']

async function matchLaterOwners<Row extends Candidate>(
  others: readonly SignedByOther<Row>[],
  signature: Hex,
  laterOwners: (network: number) => Promise<readonly Address[]>,
): Promise<Recognised<Row> | SignatureFailure | undefined> {
  const asked = new Map<number, Promise<readonly Address[]>>()
  let failure: SignatureFailure | undefined
  for (const { row, digest, personal_sign, text } of others) {
    const owners = asked.get(row.network) ?? laterOwners(row.network)
    asked.set(row.network, owners)
    const signers = [digest, personal_sign, text]
    const owner = (await owners).find((address) => signers.includes(getAddress(address)))
    if (owner === undefined) continue
    const result = await recoverFor(row, owner, signature)
    if (result.ok) return { row, ownerSignature: result.signature }
    failure ??= result
  }
  return failure
}
