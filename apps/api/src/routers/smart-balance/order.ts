import { endpoints, LanyardError } from '@lanyard/contracts'
import { findListedOrder, toOrderAnswer } from '../../domain/smart-balance/orders/order-output.ts'
import { implement } from '../../pipeline/implement.ts'

export const order = implement(endpoints.smartBalance.order, async ({ orderId }, { services }) => {
  const found = await findListedOrder(services.database, orderId, services.now())
  if (!found) throw new LanyardError('UNKNOWN_ORDER')
  return toOrderAnswer(found)
})
