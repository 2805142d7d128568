import { setImmediate } from 'node:timers/promises'
import { type RecoverOwnerSignatureResult, recoverOwnerSignature } from '@lanyard/accounts'
import { recoverFast } from '@lanyard/accounts/recover'
import { type ErrorCode, LanyardError } from '@lanyard/contracts'
import { batched } from '@lanyard/database'
import { type Address, getAddress, type Hash, type Hex, hexToNumber, size, slice, zeroAddress } from 'viem'
import { offLoop } from '../../../platform/off-loop/off-loop.ts'
import type { Candidate, Candidates, GivenSignature, Recognised } from '../signers/signer.ts'

type SignatureFailure = Extract<RecoverOwnerSignatureResult, { ok: false }>

const failureCodes = {
  COMPACT: 'SIGNATURE_COMPACT',
  MALLEABLE: 'SIGNATURE_MALLEABLE',
  TEXT_SIGNED: 'SIGNATURE_OVER_TEXT',
  WRONG_SIGNER: 'INVALID_SIGNATURE',
  MALFORMED: 'INVALID_SIGNATURE',
} as const satisfies Record<SignatureFailure['code'], ErrorCode>

/** The possible signers of an account. */
export interface Signatories {
  /** The EOA that the account was created with. */
  readonly owner?: Address | undefined
  /** The current owners of the account on a network; called only when the first owner did not sign. */
  readonly laterOwners?: ((network: number) => Promise<readonly Address[]>) | undefined
}

/**
 * Finds the first operation for which the signature is valid and by an owner of the account.
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
  search: for await (const rows of groupsOf(candidates)) {
    const results = await Promise.all(rows.map((row) => recoverFor(row, owner ?? nobody, signature)))
    for (const [index, row] of rows.entries()) {
      const result = results[index]
      if (!result) continue
      if (result.ok) return { row, ownerSignature: result.signature, ...(owner && { owner }) }
      if (result.code === 'WRONG_SIGNER') others.push({ row, ...result.recovered })
      // A failure with a specific cause is more useful than a signer mismatch.
      if (!failure || failure.code === 'WRONG_SIGNER') failure = result
      // A malformed signature is malformed for every operation.
      if (result.code !== 'WRONG_SIGNER' && result.code !== 'TEXT_SIGNED') break search
    }
  }
  // Only a signer mismatch can be resolved by reading more owners.
  if (laterOwners && failure?.code === 'WRONG_SIGNER') {
    const later = await matchLaterOwners(others, signature, laterOwners)
    if (later && 'row' in later) return later
    failure = later ?? failure
  }
  throw signatureError(failure, owner)
}

/** Number of third-party builds that go to the other thread together. */
const groupSize = 32

/** The caller's own operations one by one, and builds of third parties in groups. */
async function* groupsOf<Row extends Candidate>(candidates: Candidates<Row>): AsyncGenerator<readonly Row[]> {
  let group: Row[] = []
  for await (const row of candidates) {
    group.push(row)
    if (row.searchedBy !== undefined && group.length < groupSize) continue
    yield group
    group = []
  }
  if (group.length > 0) yield group
}

/** Compares one candidate. Third parties decide how many builds there are, so those are compared in another thread. */
export function recoverFor(
  row: Candidate,
  owner: Address,
  signature: Hex,
): Promise<RecoverOwnerSignatureResult> {
  const request = {
    hash: row.safe_op_hash as Hash, // the column holds 0x and 64 digits
    owner,
    signature,
    // Only for the caller's own operations: the caller may have made this mistake.
    triesText: row.searchedBy === undefined,
  }
  if (row.searchedBy !== undefined) return offLoop('recoverOwner', request)
  return runSerially(() => recoverOwnerSignature({ ...request, recover: recoverFast }))
}

/** The error of a signature for callers. */
export function signatureError(failure: SignatureFailure | undefined, owner?: Address): LanyardError {
  return new LanyardError(failure ? failureCodes[failure.code] : 'INVALID_SIGNATURE', {
    ...(failure?.code === 'MALFORMED' && { message: failure.message }),
    ...(owner !== undefined && { details: { owner } }),
  })
}

/** Placeholder owner of an account that was not created by an EOA: no key has this address. */
const nobody: Address = zeroAddress

/** An operation and its signer under each form of the signature. */
type SignedByOther<Row extends Candidate> = { readonly row: Row } & Extract<
  SignatureFailure,
  { code: 'WRONG_SIGNER' }
>['recovered']

async function matchLaterOwners<Row extends Candidate>(
  others: readonly SignedByOther<Row>[],
  signature: Hex,
  laterOwners: (network: number) => Promise<readonly Address[]>,
): Promise<Recognised<Row> | SignatureFailure | undefined> {
  const requested = new Map<number, Promise<readonly Address[]>>()
  let failure: SignatureFailure | undefined
  for (const { row, digest, personal_sign, text } of others) {
    const owners = requested.get(row.network) ?? laterOwners(row.network)
    requested.set(row.network, owners)
    const signers = [digest, personal_sign, text]
    const owner = (await owners).find((address) => signers.includes(getAddress(address)))
    if (owner === undefined) continue
    const result = await recoverFor(row, owner, signature)
    if (result.ok) return { row, ownerSignature: result.signature, owner }
    failure ??= result
  }
  return failure
}

/**
 * Runs work that blocks the event loop for a fraction of a millisecond, for all requests one after the other,
 * with a turn of the event loop in between. Requests that wait together continue together, so that they share
 * their next statement.
 */
export async function runSerially<T>(work: () => Promise<T>): Promise<T> {
  const outcome = await runAll(work)
  if (outcome.status === 'rejected') throw outcome.reason
  return outcome.value as T // the result of this work
}

/** Small enough that the first item hardly waits for the last. */
const maxItems = 32

const runAll = batched(
  async (works: readonly (() => Promise<unknown>)[]) => {
    const outcomes: PromiseSettledResult<unknown>[] = []
    for (const work of works) {
      await setImmediate()
      outcomes.push(...(await Promise.allSettled([work()])))
    }
    return outcomes
  },
  { maxItems },
)

/** Bytes of uint48 validAfter and uint48 validUntil (Safe4337Module), before an ECDSA signature. */
const validityBytes = 12
const ecdsaBytes = 65

/**
 * A signature in the forms that SDKs of Safe accounts produce: only the owner's 65 bytes, or with the
 * operation's validity in front (77 bytes), as in `userOp.signature`.
 */
export function splitSignature(signature: Hex): GivenSignature {
  if (size(signature) !== validityBytes + ecdsaBytes) return { signature }
  return {
    signature: slice(signature, validityBytes),
    validity: {
      validAfter: hexToNumber(slice(signature, 0, 6)),
      validUntil: hexToNumber(slice(signature, 6, validityBytes)),
    },
  }
}
