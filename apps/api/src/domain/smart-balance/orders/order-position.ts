import { LanyardError } from '@lanyard/contracts'
import type { Database } from '@lanyard/database'
import type { Transaction } from 'kysely'
import type { AccountState } from '../../operations/build/account-state.ts'
import { reservePromisedNonce } from '../../operations/build/reserve-nonce.ts'
import type { NoncePosition } from '../../operations/lanes.ts'
import type { NonceHolder } from '../../operations/operation-features.ts'
import { isWaiting, type SpendableBalance } from '../quotes/spendable-balance.ts'

interface PositionRequest {
  readonly nonceHolders: readonly NonceHolder[]
  readonly account: string
  readonly outputNetwork: number
  readonly state: AccountState
  /** The caller whose unsigned builds the order's lane avoids. */
  readonly builtBy: string
  readonly balance: Pick<SpendableBalance, 'holdings' | 'competing'>
  readonly now: Date
}

/**
 * Chooses the nonce of a new order. An order that the operator has signed and that is not submitted could
 * still be included. The new order takes the same nonce, so that at most one of them is ever included. This
 * is impossible for an order on another network, so the new order then has to wait.
 *
 * @throws ORDER_OPEN, OPERATION_IN_FLIGHT, LANES_EXHAUSTED
 */
export async function takeOrderPosition(
  transaction: Transaction<Database>,
  {
    nonceHolders,
    account,
    outputNetwork,
    state,
    builtBy,
    balance: { holdings, competing },
    now,
  }: PositionRequest,
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
  return reservePromisedNonce(transaction, {
    nonceHolders,
    account,
    network: outputNetwork,
    state,
    builtBy,
    now,
  })
}
