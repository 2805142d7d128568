import { z } from 'zod'
import { withKey } from '../access.ts'
import { endpoint } from '../endpoint.ts'
import { hexOutput } from '../primitives/hex.ts'
import { olderThan } from '../primitives/older-than.ts'
import { walletAddress } from '../smart-account/wallet.ts'
import { orderOutput } from './order-output.ts'

export const orders = endpoint({
  method: 'GET',
  path: '/v3/smartbalance/orders',
  tag: 'Smart balance',
  bucket: 'calls',
  access: withKey,
  scope: 'support',
  summary: 'The orders of a wallet, newest first',
  description: 'Returns at most 50. Orders that were never submitted are left out, since they moved nothing.',
  query: z.object({
    walletAddress,
    ...olderThan('order', { time: 'createdAt', id: 'orderId' }),
  }),
  output: z.object({
    orders: z.array(
      z.object({
        ...orderOutput.shape,
        createdAt: z.iso.datetime(),
        userOpHash: hexOutput.optional(),
      }),
    ),
  }),
  errors: ['UNKNOWN_WALLET'],
})
