import { setImmediate } from 'node:timers/promises'
import { type RecoverOwnerSignatureResult, recoverOwnerSignature } from '@lanyard/accounts'
import { type ErrorCode, LanyardError } from '@lanyard/contracts'
import type { OperationRow } from '@lanyard/database'
import { type Address, getAddress, type Hash, type Hex, recoverMessageAddress, zeroAddress } from 'viem'

/** What is read of an operation to see whether a signature is for it. */
export type Candidate = Pick<OperationRow, 'user_op_hash' | 'network' | 'safe_op_hash' | 'session_key'>

export interface Recognised<Row extends Candidate = Candidate> {
  readonly row: Row
  /** The signature as the Safe takes it: 65 bytes, v 27/28 or 31/32. */
  readonly ownerSignature: Hex
}

export type FoundOperation = Recognised<OperationRow>

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
export async function recogniseSignature<Row extends Candidate>(
  candidates: readonly Row[],
  { owner, laterOwners }: Signatories,
  signature: Hex,
): Promise<Recognised<Row>> {
  const strangers: Stranger<Row>[] = []
  let failure: SignatureFailure | undefined
  for (const row of candidates) {
    const hash = row.safe_op_hash as Hash // the column holds 0x and 64 digits
    const result = await inTurn(() => recoverOwnerSignature({ hash, owner: owner ?? nobody, signature }))
    if (result.ok) return { row, ownerSignature: result.signature }
    if (result.code === 'WRONG_SIGNER') strangers.push({ row, ...result.recovered })
    // A failure that names what is wrong says more than "not this one".
    if (!failure || failure.code === 'WRONG_SIGNER') failure = result
  }
  // Only "somebody else" can be mended by knowing more owners; malformed is malformed.
  if (laterOwners && failure?.code === 'WRONG_SIGNER') {
    const later = await matchLaterOwners(strangers, signature, laterOwners)
    if (later && 'row' in later) return later
    failure = later ?? failure
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

/** The owner of an account that no EOA made: no key has this address. */
const nobody: Address = zeroAddress

/** An operation, and who would have signed it, in each form. */
type Stranger<Row extends Candidate> = { readonly row: Row } & Extract<
  SignatureFailure,
  { code: 'WRONG_SIGNER' }
>['recovered']

async function matchLaterOwners<Row extends Candidate>(
  strangers: readonly Stranger<Row>[],
  signature: Hex,
  laterOwners: (network: number) => Promise<readonly Address[]>,
): Promise<Recognised<Row> | SignatureFailure | undefined> {
  const asked = new Map<number, Promise<readonly Address[]>>()
  let failure: SignatureFailure | undefined
  for (const { row, digest, personal_sign } of strangers) {
    const owners = asked.get(row.network) ?? laterOwners(row.network)
    asked.set(row.network, owners)
    const hash = row.safe_op_hash as Hash // the column holds 0x and 64 digits
    const signers = [digest, personal_sign, await recoverTextSigner(hash, signature)]
    const owner = (await owners).find((address) => signers.includes(getAddress(address)))
    if (owner === undefined) continue
    const result = await inTurn(() => recoverOwnerSignature({ hash, owner, signature }))
    if (result.ok) return { row, ownerSignature: result.signature }
    failure ??= result
  }
  return failure
}

/** Who signed the hash as 66 characters of text; undefined where nobody can have. */
const recoverTextSigner = (hash: Hash, signature: Hex): Promise<Address | undefined> =>
  inTurn(() => recoverMessageAddress({ message: hash, signature })).catch(() => undefined)

let lastTurn: Promise<unknown> = Promise.resolve()

/**
 * Does what holds the event loop up for a millisecond or two, of all requests one after the other, with everything else
 * that the loop has to do in between: a signature may be compared with many operations.
 */
export function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const turn = lastTurn.then(() => setImmediate()).then(work)
  lastTurn = turn.catch(() => {})
  return turn
}
