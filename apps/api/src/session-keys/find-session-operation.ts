import { LanyardError } from '@lanyard/contracts'
import type { Database } from '@lanyard/database'
import type { Kysely } from 'kysely'
import type { Address, Hex } from 'viem'
import { findCandidates, type OperationName } from '../operations/find-signed-operation.ts'
import type { FoundOperation } from '../operations/recognise-signature.ts'
import { recogniseSessionSignature } from './recognise-session-signature.ts'

/**
 * Finds the operation of an account that a session key signed: by the name given, else the one for which the
 * signature is valid, pending ones first.
 *
 * @throws UNKNOWN_OPERATION, INVALID_SIGNATURE, SIGNATURE_OVER_TEXT, SIGNATURE_COMPACT, SIGNATURE_MALLEABLE
 */
export async function findSessionOperation(
  database: Kysely<Database>,
  account: Address,
  signature: Hex,
  name: OperationName,
): Promise<FoundOperation> {
  const rows = await findCandidates(database, account.toLowerCase(), name, 'SESSION_KEY')
  if (rows.length === 0) {
    throw new LanyardError('UNKNOWN_OPERATION', {
      message: 'No operation of a session of this wallet fits. Build one first, with signMode SESSION_KEY.',
    })
  }
  return recogniseSessionSignature(rows, signature)
}
