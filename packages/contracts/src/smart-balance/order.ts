import { z } from 'zod'
import { withKey } from '../access.ts'
import { endpoint } from '../endpoint.ts'
import { hash } from '../primitives/hex.ts'
import { orderOutput } from './order-output.ts'

export const order = endpoint({
  method: 'GET',
  path: '/v3/smartbalance/order',
  tag: 'Smart balance',
  bucket: 'calls',
  access: withKey,
  scope: 'support',
  summary: 'Status of an order',
  description: "Returns the order's state, its debits on each network, and the operation that it pays for.",
  query: z.object({ orderId: hash }),
  output: orderOutput,
  errors: ['UNKNOWN_ORDER'],
})
