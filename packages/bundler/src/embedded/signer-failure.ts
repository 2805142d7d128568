import { LanyardError } from '@lanyard/contracts'
import type { Hex } from 'viem'
import type { EmbeddedContext } from './context.ts'

/** Whether a key that is elsewhere could not be used. Nothing was sent then. */
export const isSignerFailure = (error: unknown): error is LanyardError =>
  error instanceof LanyardError && (error.code === 'SIGNER_UNAVAILABLE' || error.code === 'SIGNER_FAILED')

/** Says of operations why they wait; they stay in the queue as they are. */
export async function noteUnsigned(
  { database }: EmbeddedContext,
  hashes: readonly Hex[],
  { code }: LanyardError,
): Promise<void> {
  await database
    .updateTable('operations')
    .set({
      reason_code: code,
      reason_message: "The signer of the relayer's key did not sign. It is tried again.",
    })
    .where('user_op_hash', 'in', hashes)
    .where('state', '=', 'submitted')
    .execute()
}
