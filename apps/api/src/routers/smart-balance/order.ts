import { endpoints, LanyardError } from '@lanyard/contracts'
import { implement } from '../../implement.ts'
import { findListedOrder, toOrderAnswer } from '../../smart-balance/order-output.ts'

export const order = implement(endpoints.smartBalance.order, async ({ orderId }, { services }) => {
  const found = await findListedOrder(services.database, orderId, services.now())
  if (!found) throw new LanyardError('UNKNOWN_ORDER')
  return toOrderAnswer(found)
})
