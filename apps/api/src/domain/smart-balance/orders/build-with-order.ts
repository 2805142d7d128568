import type { Call } from '@lanyard/accounts'
import { LanyardError } from '@lanyard/contracts'
import type { Database } from '@lanyard/database'
import type { OrderSigner } from '@lanyard/smart-balance'
import type { Transaction } from 'kysely'
import { requireOrderAuthority } from '../../accounts/callers/require-order-authority.ts'
import type { BuildRequest, BuildTarget, BuiltOperation } from '../../operations/build-request.ts'
import { buildOperation } from '../../operations/prepare/build-operation.ts'
import { getSmartBalance } from '../model/get-smart-balance.ts'
import type { SpenderContext } from '../model/services.ts'
import { findOrderBudget, screen } from './find-payer.ts'
import { orderPayer } from './order-payer.ts'
import { reserveOrder } from './reserve-order.ts'
import { reservedCalls } from './reserved-calls.ts'

/** `orderData` of a build, parsed. */
interface OrderData {
  readonly amount: bigint
  readonly type: 'AMOUNT_OUT' | 'AMOUNT_IN'
  readonly limit?: bigint | undefined
  /** wei */
  readonly gasBudget?: bigint | undefined
}

type Solution = Awaited<ReturnType<typeof reserveOrder>>['solution']

export interface BuiltWithOrder {
  readonly built: BuiltOperation
  readonly solution: Solution
}

interface OrderBuildRequest
  extends Omit<BuildRequest, 'payer' | 'prepended' | 'onPersisted' | 'wallet'>,
    BuildTarget {
  readonly orderData: OrderData
  /** The owner whose signature the order is for. */
  readonly orderSigner: OrderSigner
  readonly onPersisted: (transaction: Transaction<Database>, built: BuiltWithOrder) => Promise<void>
}

/**
 * Reserves an order and builds the operation that uses it, in one step: withdrawal, claim, then the caller's
 * calls. If the operation costs more than the default budget of the reservation, it reserves again with the
 * required budget. A budget that the caller has set is not changed.
 *
 * If the process dies in between, the reservation can be built by its id, is replaced by the next one, or
 * expires.
 *
 * @throws what reserving, `orderPayer` and `buildOperation` throw
 */
export async function buildWithOrder(
  context: SpenderContext,
  request: OrderBuildRequest,
): Promise<BuiltWithOrder> {
  await requireOrderAuthority(context, request.wallet)
  await screen(context, 'lend', request)
  const { gasBudget } = request.orderData
  try {
    return await reserveAndBuild(context, request, gasBudget)
  } catch (error) {
    const needed = gasBudget === undefined ? neededBudget(error) : undefined
    if (needed === undefined) throw error
    return await reserveAndBuild(context, request, needed)
  }
}

/** The gas budget that is needed, with a margin of a tenth, since fees change. wei */
function neededBudget(error: unknown): bigint | undefined {
  if (!(error instanceof LanyardError) || error.code !== 'GAS_BUDGET_EXCEEDED') return undefined
  const required = error.details?.required
  return typeof required === 'string' ? (BigInt(required) * 11n) / 10n : undefined
}

async function reserveAndBuild(
  context: SpenderContext,
  { orderData, orderSigner, onPersisted, ...request }: OrderBuildRequest,
  gasBudget: bigint | undefined,
): Promise<BuiltWithOrder> {
  const { services } = context
  const { wallet, network, calls, builtBy } = request
  const { amount, type, limit } = orderData
  const reserved = await reserveOrder(services, {
    wallet,
    network,
    builtBy,
    amount,
    type,
    limit,
    gasBudget,
    signer: orderSigner,
  })
  await services.checkpoint('order:reserved')

  const spending: readonly Call[] = reservedCalls(reserved, getSmartBalance(network).address)
  const payer = await orderPayer(services, {
    network,
    found: reserved,
    signer: orderSigner,
    budget: await findOrderBudget(context, { wallet, network }, reserved, calls),
  })
  const withSolution = (built: BuiltOperation): BuiltWithOrder => ({
    built,
    // The operator's signature has extended the expiry.
    solution: { ...reserved.solution, expiresAt: new Date(built.validUntil * 1000).toISOString() },
  })
  const built = await buildOperation(services.operations, {
    ...request,
    calls: [...spending, ...calls],
    prepended: spending.length,
    payer,
    onPersisted: (transaction, written) => onPersisted(transaction, withSolution(written)),
  })
  return withSolution(built)
}
