import { dropSubmitted } from '@lanyard/database'
import type { CheckedBundle } from '../embedded/check-bundle.ts'
import type { EmbeddedContext } from '../embedded/context.ts'
import type { StoredOperation } from '../embedded/stored-operation.ts'
import { fenced, type Lease } from '../sender/lease.ts'

/**
 * `submitted → dropped`, for operations whose authorisations are spent while their senders are not delegated. Each needs
 * another authorisation, which only its owner can sign.
 */
export async function dropSpent(
  context: EmbeddedContext,
  lease: Lease,
  spent: CheckedBundle<StoredOperation>['spent'],
): Promise<void> {
  if (spent.length === 0) return
  const reasons = new Map<string, string>(
    spent.map(({ stored, reason }) => [stored.hash, reason?.message ?? '']),
  )
  await fenced(context, lease, async (trx) => {
    const rows = await trx
      .selectFrom('operations')
      .select(['user_op_hash', 'account', 'network', 'nonce_key', 'nonce_sequence'])
      .where('user_op_hash', 'in', [...reasons.keys()])
      .where('state', '=', 'submitted')
      .where('final', '=', false)
      // In one order, so that two relayers do not wait for each other.
      .orderBy('user_op_hash')
      .forUpdate()
      .execute()
    for (const row of rows) {
      await dropSubmitted(trx, row, {
        reason_code: 'OPERATION_REFUSED',
        reason_message: reasons.get(row.user_op_hash) ?? null,
      })
    }
  })
}
