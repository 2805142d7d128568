import type { AccountDeployment, Call } from '@lanyard/accounts'
import { decodeOrderMarker } from '@lanyard/smart-balance'
import { accountOf, type ExpectedOwner } from '../account-of.ts'
import type { BuildRequest } from '../build.ts'
import { BuildVerificationError } from '../verification-error.ts'
import type { ExpectedOrderOperation, OrderExpectation } from './order-expectation.ts'
import type { Solution, SpendRequest } from './quote.ts'
import { type VerifiedSolution, verifySolutionAt } from './verify-solution.ts'

export interface ExpectOrderParameters {
  readonly request: Pick<BuildRequest, 'orderData' | 'paymasterData'>
  readonly network: SpendRequest['outputNetwork']
  /** The response's `order`. */
  readonly answered: Solution | undefined
  readonly order: OrderExpectation | undefined
  readonly owner: ExpectedOwner
  readonly deployment: AccountDeployment
}

/** The order's additions to the requested operation. */
export interface OrderInOperation {
  readonly order: ExpectedOrderOperation
  /** Calls that the service puts before the caller's own. */
  readonly calls: readonly Call[]
}

/**
 * Determines whether a request spends the smart balance, and what the operation must then contain. A build
 * never contains an order that was not requested.
 *
 * @returns undefined if the request does not spend the smart balance
 * @throws BuildVerificationError naming the field; TypeError if the request has an order but the caller did
 * not say what to expect
 */
export function expectOrder(parameters: ExpectOrderParameters): OrderInOperation | undefined {
  const { request, order, owner } = parameters
  const marker = decodeOrderMarker(request.paymasterData ?? '')
  if (!marker && !request.orderData) return undefined
  if (!order)
    throw new TypeError('The request spends the smart balance, so `order` must say what is expected')

  const signer = owner.kind === 'account' ? undefined : owner
  const { now, clockSkew } = order
  if (!marker) {
    const solution = verifyAnsweredOrder(parameters, order)
    return { order: { solution, signer, now, clockSkew }, calls: solution.calls }
  }
  if (!('solution' in order) || order.solution.orderId !== marker.orderId)
    throw new TypeError('paymasterData names an order, so `order.solution` must be that order')
  // The caller's own calls start with those of the order.
  return { order: { solution: order.solution, signer, now, clockSkew }, calls: [] }
}

function verifyAnsweredOrder(
  { request, network, answered, owner, deployment }: ExpectOrderParameters,
  order: OrderExpectation,
): VerifiedSolution {
  if ('solution' in order || !request.orderData)
    throw new TypeError('orderData makes a reservation, so `order.smartBalance` must name the contract')
  if (!answered) throw new BuildVerificationError('order', 'missing, although orderData was sent')
  return verifySolutionAt('order', {
    ...order,
    solution: answered,
    request: { ...request.orderData, outputNetwork: network },
    account: accountOf(owner, deployment),
  })
}
