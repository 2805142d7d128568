import type { Database } from '@lanyard/database'
import type { Kysely } from 'kysely'
import type { Address, Hex } from 'viem'
import {
  findOperation,
  type OperationName,
  type SearchContext,
} from '../operations/submit/find-signed-operation.ts'
import type { FoundOperation } from '../operations/submit/recognise-signature.ts'
import { recogniseSessionSignature } from './recognise-session-signature.ts'

/**
 * Finds the operation of an account that a session key signed: the operation with exactly this signature,
 * otherwise the first of the named operations for which the signature is valid.
 *
 * @throws UNKNOWN_OPERATION, INVALID_SIGNATURE, SIGNATURE_OVER_TEXT, SIGNATURE_COMPACT, SIGNATURE_MALLEABLE
 */
export const findSessionOperation = (
  database: Kysely<Database>,
  account: Address,
  signature: Hex,
  name: OperationName,
  context: SearchContext,
): Promise<FoundOperation> =>
  findOperation(
    database,
    {
      ...context,
      account: account.toLowerCase(),
      name,
      signMode: 'SESSION_KEY',
      signature,
      unknown:
        'No operation of a session of this wallet matches. Build one first, with signMode SESSION_KEY.',
    },
    (candidates) => recogniseSessionSignature(candidates, signature),
  )
