import type { Call } from '@lanyard/accounts'
import { decodeOrderMarker, type OrderSigner } from '@lanyard/smart-balance'
import type { Hex } from 'viem'
import { requireOrderAuthority } from '../../../pipeline/access/require-order-authority.ts'
import type { RequestContext } from '../../../pipeline/request-context.ts'
import { type Payer, verbatimPayer } from '../../operations/payer.ts'
import { smartBalanceOn } from '../smart-balance-on.ts'
import type { BuildTarget } from './build-target.ts'
import { findOrder } from './find-order.ts'
import { callerOf } from './order-gas-budgets.ts'
import { orderPayer } from './order-payer.ts'
import { requireOrderSigner } from './order-signer.ts'
import { requireReservedCalls, reservedCalls } from './reserved-calls.ts'
import { sponsor } from './sponsor.ts'

/** One who can sign the operation, and the key by which SmartBalance knows them. */
export interface OrderSignerCandidate {
  readonly key: OrderSigner
}

interface PayerRequest<T extends OrderSignerCandidate> extends BuildTarget {
  readonly paymasterData: 'sponsored' | Hex
  readonly calls: readonly Call[]
  /** Asked for only where an order needs to know. */
  readonly signers: () => Promise<readonly [T, ...T[]]>
}

export interface FoundPayer<T> {
  readonly payer: Payer
  /** Set when only this one can sign. */
  readonly signer?: T
}

/**
 * Who pays, as `paymasterData` says: `sponsored` is the service, within its budgets; the marker of a solution is the
 * order that it names; anything else is used as it is.
 *
 * @throws UNAUTHORIZED, FORBIDDEN, UNKNOWN_ORDER, ORDER_MISMATCH, ORDER_EXPIRED, PAYMASTER_REFUSED,
 * NO_SMART_BALANCE, NETWORK_UNAVAILABLE, NETWORK_FAILED
 */
export async function findPayer<T extends OrderSignerCandidate>(
  context: RequestContext,
  { wallet, network, paymasterData, calls, signers }: PayerRequest<T>,
): Promise<FoundPayer<T>> {
  const { services } = context
  if (paymasterData === 'sponsored') {
    await requireOrderAuthority(context, wallet)
    const [{ key }] = await signers()
    return { payer: await sponsor(services, { wallet, network, signer: key, caller: callerOf(context) }) }
  }
  const marker = decodeOrderMarker(paymasterData)
  if (!marker) return { payer: verbatimPayer(paymasterData) }

  await requireOrderAuthority(context, wallet)
  const found = await findOrder(services.database, marker, { wallet, network })
  const signer = requireOrderSigner(found.order, await signers())
  requireReservedCalls(reservedCalls(found, smartBalanceOn(network).address), calls)
  const payer = await orderPayer(services, { network, found, signer: signer.key, caller: callerOf(context) })
  return { payer, signer }
}
