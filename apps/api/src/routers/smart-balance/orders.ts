import { endpoints } from '@lanyard/contracts'
import { pageEnd } from '@lanyard/database'
import type { Hex } from 'viem'
import { findWallet } from '../../domain/accounts/accounts/wallet.ts'
import { listOrders, toOrderAnswer } from '../../domain/smart-balance/orders/order-output.ts'
import { implement } from '../../pipeline/implement.ts'

export const orders = implement(endpoints.smartBalance.orders, async (input, { services }) => {
  const { address } = await findWallet(services.database, input.walletAddress)
  const listed = await listOrders(services.database, {
    account: address.toLowerCase(),
    end: pageEnd(input),
    now: services.now(),
  })
  return {
    orders: listed.map((order) => ({
      ...toOrderAnswer(order),
      createdAt: order.reserved_at.toISOString(),
      ...(order.user_op_hash !== null && { userOpHash: order.user_op_hash as Hex }), // the column holds hex
    })),
  }
})
