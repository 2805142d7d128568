import { LanyardError } from '@lanyard/contracts'
import type { Database } from '@lanyard/database'
import type { Kysely } from 'kysely'
import type { FoundOrder } from './find-order.ts'

/** Maximum number of orders per day of an account on a network that may end without paying. */
const maxUnpaid = 10
const day = 24 * 3_600_000

/**
 * An order without debits pays its fee only by its withdrawal. If its calls revert, which the sender can
 * cause, the operator has paid for gas and gets nothing. The number of such orders per account is therefore
 * limited.
 *
 * @throws PAYMASTER_REFUSED
 */
export async function requireGoodRecord(
  database: Kysely<Database>,
  { order, debits }: FoundOrder,
  now: Date,
): Promise<void> {
  if (debits.length > 0) return
  const { unpaid } = await database
    .selectFrom('orders')
    .select(({ fn }) => fn.countAll<number | string>().as('unpaid'))
    .where('account', '=', order.account)
    .where('output_network', '=', order.output_network)
    .where('state', 'in', ['FAILED', 'EXPIRED'])
    .where('reserved_at', '>', new Date(now.getTime() - day))
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('order_operations')
          .select('order_operations.order_hash')
          .whereRef('order_operations.order_id', '=', 'orders.order_id'),
      ),
    )
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('order_debits')
            .select('order_debits.order_id')
            .whereRef('order_debits.order_id', '=', 'orders.order_id'),
        ),
      ),
    )
    .executeTakeFirstOrThrow()
  if (Number(unpaid) < maxUnpaid) return
  throw new LanyardError('PAYMASTER_REFUSED', {
    message: `${unpaid} orders of this account failed within a day, and the service paid for their gas. Let the account pay, or try again tomorrow.`,
  })
}
