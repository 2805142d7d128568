import { LanyardError } from '@lanyard/contracts'
import type { Database } from '@lanyard/database'
import type { Transaction } from 'kysely'
import type { AccountState } from '../../operations/build/account-state.ts'
import { reserveOrderNonce } from '../../operations/build/reserve-nonce.ts'
import type { NoncePosition } from '../../operations/lanes.ts'
import { isWaiting, type SpendableBalance } from '../quotes/spendable-balance.ts'

interface PositionRequest {
  readonly account: string
  readonly outputNetwork: number
  readonly state: AccountState
  /** Whose unsigned builds the order's lane keeps clear of. */
  readonly builtBy: string
  readonly balance: Pick<SpendableBalance, 'holdings' | 'competing'>
  readonly now: Date
}

/**
 * The nonce of a new order. An order that the operator has signed and nobody has submitted could still be included:
 * the new one competes with it at its nonce, so that only one of them ever is. With one of another network it could
 * not, and has to wait.
 *
 * @throws ORDER_OPEN, OPERATION_IN_FLIGHT, LANES_EXHAUSTED
 */
export async function takeOrderPosition(
  transaction: Transaction<Database>,
  { account, outputNetwork, state, builtBy, balance: { holdings, competing }, now }: PositionRequest,
): Promise<NoncePosition> {
  const elsewhere = holdings.find((holding) => isWaiting(holding) && holding.output_network !== outputNetwork)
  if (elsewhere) {
    throw new LanyardError('ORDER_OPEN', {
      details: {
        orderId: elsewhere.order_id,
        outputNetwork: elsewhere.output_network,
        expiresAt: elsewhere.expires_at.toISOString(),
      },
    })
  }
  if (competing) return competing
  return reserveOrderNonce(transaction, { account, network: outputNetwork, state, builtBy, now })
}
