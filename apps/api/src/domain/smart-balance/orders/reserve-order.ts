import { randomBytes } from 'node:crypto'
import { LanyardError } from '@lanyard/contracts'
import {
  closeLateReservations,
  closeOrders,
  type Database,
  lockAccount,
  reserveOrderRow,
} from '@lanyard/database'
import { type OrderPlan, signerId } from '@lanyard/smart-balance'
import type { Transaction } from 'kysely'
import { bytesToHex } from 'viem'
import type { NonceHolder, NoncePosition } from '../../operations/nonces.ts'
import { type AccountState, readAccountState } from '../../operations/prepare/account-state.ts'
import { reservePromisedNonce } from '../../operations/prepare/reserve-nonce.ts'
import { lockOutputNetwork } from '../ledger/lock-output-network.ts'
import type { SmartBalanceServices } from '../model/services.ts'
import { type ChainBalance, readChainBalance } from '../quotes/chain-balance.ts'
import { getOrCreateTerms } from '../quotes/get-or-create-terms.ts'
import { planWith } from '../quotes/plan-with.ts'
import { toSolution } from '../quotes/solution.ts'
import {
  findSpendableBalance,
  isUnsigned,
  isWaiting,
  type SpendableBalance,
} from '../quotes/spendable-balance.ts'
import { cosignOrder } from './cosign-order.ts'
import { type ReservedOrder, type ReserveRequest, reservationSeconds } from './reserve-request.ts'

/**
 * Reserves what an order needs, for ten minutes: deposits, liquidity, and a nonce on the output network.
 *
 * Everything is decided in one transaction, under the lock of the account's row (deposits, nonces) and then
 * of the output network's row (liquidity, cap), so that no two requests on any replicas reserve the same
 * funds. The operator signs after that, while no lock is held. If the process dies before the transaction is
 * committed, nothing has happened. If it dies afterwards, no caller knows the order: it expires, or the next
 * one replaces it.
 *
 * @throws NO_SMART_BALANCE, INSUFFICIENT_FUNDS, INSUFFICIENT_LIQUIDITY, LIMIT_BREACHED, AMOUNT_REFUSED,
 * ORDER_OPEN, ORDER_EXPIRED, OPERATION_IN_FLIGHT, LANES_EXHAUSTED, NETWORK_UNAVAILABLE, NETWORK_FAILED,
 * SIGNER_UNAVAILABLE, SIGNER_FAILED
 */
export async function reserveOrder(
  services: SmartBalanceServices,
  request: ReserveRequest,
): Promise<ReservedOrder> {
  const { wallet, network, signer, builtBy, onPersisted } = request
  const [chain, { terms }, state] = await Promise.all([
    readChainBalance(services, wallet, network),
    getOrCreateTerms(services, { wallet, network, signer }, { prolong: false }),
    readAccountState(network, wallet),
  ])
  const now = services.now()
  const account = wallet.address.toLowerCase()
  const outputNetwork = network.chainId
  const gasBudget = request.gasBudget ?? terms.gasBudget
  const planned = await services.database.transaction().execute(async (transaction) => {
    const { sequences } = state
    const balance = await lockSpendableBalance(transaction, { account, outputNetwork, sequences, now }, chain)
    const plan = planWith(request, balance, terms, chain)
    await closeOrders(transaction, {
      orderIds: balance.holdings.filter(isUnsigned).map(({ order_id }) => order_id),
      from: ['RESERVED'],
      to: 'EXPIRED',
      now,
    })
    const { nonceHolders } = services.operations.features
    const place = { nonceHolders, account, outputNetwork, state, builtBy, balance, now }
    const position = await takeOrderPosition(transaction, place)
    const { order, debits } = await reserveOrderRow(
      transaction,
      toOrderRow(request, { plan, position, gasBudget, now }),
      plan.debits.map(({ failFee, ...debit }) => ({ ...debit, fail_fee: failFee })),
    )
    if (order.withdrawal_amount > 0n) return { order, debits }
    const solution = toSolution(network, order, debits, undefined)
    await onPersisted?.(transaction, solution)
    return { order, debits, solution }
  })
  await services.checkpoint('order:planned')
  if (planned.solution) return planned
  return cosignOrder(services, request, planned, chain.liquidity.timestamp)
}

interface Place {
  readonly account: string
  readonly outputNetwork: number
  readonly sequences: readonly bigint[]
  readonly now: Date
}

/** The account's spendable balance. No other transaction can reserve it until this one ends. */
async function lockSpendableBalance(
  transaction: Transaction<Database>,
  place: Place,
  chain: ChainBalance,
): Promise<SpendableBalance> {
  await lockAccount(transaction, place.account)
  await lockOutputNetwork(transaction, place.outputNetwork)
  await closeLateReservations(transaction, place.outputNetwork, place.now)
  return findSpendableBalance(transaction, { ...place, ...chain })
}

interface Decided {
  readonly plan: OrderPlan
  readonly position: NoncePosition
  /** wei */
  readonly gasBudget: bigint
  readonly now: Date
}

/** The row of a new reservation. */
function toOrderRow(
  { wallet, network, type, signer }: ReserveRequest,
  { plan, position, gasBudget, now }: Decided,
): Parameters<typeof reserveOrderRow>[1] {
  return {
    order_id: bytesToHex(randomBytes(32)),
    account: wallet.address.toLowerCase(),
    output_network: network.chainId,
    type,
    amount: plan.amount,
    fee: plan.fee,
    total: plan.total,
    claim_amount: plan.claimAmount,
    withdrawal_amount: plan.withdrawal.amount,
    withdrawal_fee: plan.withdrawal.fee,
    nonce_key: position.key,
    nonce_sequence: position.sequence,
    signer_id: signerId(signer),
    gas_budget: gasBudget,
    reserved_at: now,
    expires_at: new Date(now.getTime() + reservationSeconds * 1000),
  }
}

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
