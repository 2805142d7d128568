import { setImmediate } from 'node:timers/promises'
import { type RecoverOwnerSignatureResult, recoverOwnerSignature } from '@lanyard/accounts'
import { recoverFast } from '@lanyard/accounts/recover'
import { type ErrorCode, LanyardError } from '@lanyard/contracts'
import { batched } from '@lanyard/database'
import { type Address, getAddress, type Hash, type Hex, zeroAddress } from 'viem'
import { offLoop } from '../../../platform/off-loop/off-loop.ts'
import type { Candidate, Candidates, Recognised } from './signer.ts'

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
  for await (const row of candidates) {
    const result = await recoverFor(row, owner ?? nobody, signature)
    if (result.ok) return { row, ownerSignature: result.signature, ...(owner && { owner }) }
    if (result.code === 'WRONG_SIGNER') others.push({ row, ...result.recovered })
    // A failure with a specific cause is more useful than a signer mismatch.
    if (!failure || failure.code === 'WRONG_SIGNER') failure = result
    // A malformed signature is malformed for every operation.
    if (result.code !== 'WRONG_SIGNER' && result.code !== 'TEXT_SIGNED') break
  }
  // Only a signer mismatch can be resolved by reading more owners.
  if (laterOwners && failure?.code === 'WRONG_SIGNER') {
    const later = await matchLaterOwners(others, signature, laterOwners)
    if (later && 'row' in later) return later
    failure = later ?? failure
  }
  throw signatureError(failure, owner)
}

/**
 * Compares one candidate. Third parties decide how many builds there are, so those are compared in another thread.
 * Searches that wait together continue together, so that they share their next statement.
 */
export async function recoverFor(
  { safe_op_hash, searchedBy }: Candidate,
  owner: Address,
  signature: Hex,
): Promise<RecoverOwnerSignatureResult> {
  const request = { hash: safe_op_hash as Hash, owner, signature } // the column holds 0x and 64 digits
  // Only the caller's own operations are tried as text: the caller may have made this mistake.
  if (searchedBy !== undefined) return offLoop('recoverOwner', { ...request, triesText: false })
  return recoverSerially({ ...request, recover: recoverFast })
}

/** One comparison blocks the event loop for a fraction of a millisecond: it gets a turn before each. */
const recoverSerially = batched(
  async (requests: readonly Parameters<typeof recoverOwnerSignature>[0][]) => {
    const results: RecoverOwnerSignatureResult[] = []
    for (const request of requests) {
      await setImmediate()
      results.push(await recoverOwnerSignature(request))
    }
    return results
  },
  { maxItems: 32 }, // the first hardly waits for the last
)

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
