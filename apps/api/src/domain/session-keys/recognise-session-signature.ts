import { toOperation } from '@lanyard/bundler'
import { LanyardError } from '@lanyard/contracts'
import { encodeSessionSignature, type SessionKey } from '@lanyard/session-keys'
import { type Address, type Hash, type Hex, size, slice } from 'viem'
import { recoverFor, signatureError } from '../operations/signers/recognise-signature.ts'
import type { Candidate, Candidates, Recognised, Signer } from '../operations/signers/signer.ts'
import { isSignedByP256 } from './p256.ts'
import { fromStoredSession } from './stored-session.ts'

/**
 * Finds the first operation that its own session key signed.
 *
 * @throws INVALID_SIGNATURE, SIGNATURE_OVER_TEXT, SIGNATURE_COMPACT, SIGNATURE_MALLEABLE
 */
export async function recogniseSessionSignature<Row extends Candidate>(
  rows: Candidates<Row>,
  signature: Hex,
): Promise<Recognised<Row>> {
  let failure: LanyardError | undefined
  for await (const row of rows) {
    const result = await matchRow(row, signature)
    if (typeof result === 'string') return { row, ownerSignature: result }
    // A failure with a specific cause is more useful than a signer mismatch.
    if (!failure || failure.code === 'INVALID_SIGNATURE') failure = result
  }
  throw failure ?? new LanyardError('INVALID_SIGNATURE')
}

/** The signature as the contract takes it, or the error if it is not by this row's key. */
async function matchRow(row: Candidate, signature: Hex): Promise<Hex | LanyardError> {
  const { key } = fromStoredSession(row)
  return typeof key === 'string' ? matchAddress(row, key, signature) : matchPoint(row, key, signature)
}

async function matchAddress(row: Candidate, key: Address, signature: Hex): Promise<Hex | LanyardError> {
  const result = await recoverFor(row, key, signature)
  if (!result.ok) return signatureError(result)
  // 31 and 32 are the Safe's marks of personal_sign, which the session contract does not accept.
  if (Number(slice(result.signature, 64)) < 31) return result.signature
  return new LanyardError('INVALID_SIGNATURE', {
    message:
      'A session key must sign the 32 bytes of messageToSign directly, without the prefix of personal_sign (in viem: account.sign({ hash })).',
  })
}

/** WebCrypto verifies in a thread of its own. */
async function matchPoint(
  { safe_op_hash }: Candidate,
  key: Exclude<SessionKey, Address>,
  signature: Hex,
): Promise<Hex | LanyardError> {
  if (size(signature) !== 64) {
    return new LanyardError('INVALID_SIGNATURE', {
      message: 'A signature of a P-256 session key has 64 bytes: r, s, as WebCrypto returns it.',
    })
  }
  const hash = safe_op_hash as Hash // the column holds 0x and 64 digits
  return (await isSignedByP256(key, hash, signature)) ? signature : new LanyardError('INVALID_SIGNATURE')
}

/** A session key. The operation's row names the session, and the session gives the stub (`readSessionSigner`). */
export const sessionKey: Signer = {
  signMode: 'SESSION_KEY',
  unknown: 'No operation of a session of this wallet matches. Build one first, with signMode SESSION_KEY.',
  recognise: (candidates, _account, signature) => recogniseSessionSignature(candidates, signature),
  encode: (row, signature) =>
    encodeSessionSignature({
      operation: toOperation(row),
      validAfter: row.valid_after,
      validUntil: row.valid_until,
      ...fromStoredSession(row),
      signature,
    }),
}
