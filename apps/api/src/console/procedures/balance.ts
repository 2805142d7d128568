import { sql } from 'kysely'
import { getAddress } from 'viem'
import { readExposure } from '../../domain/smart-balance/settlement/exposure.ts'
import { operatorProcedure, router } from '../console-trpc.ts'

const shownOrders = 50

/** The smart balance as the operator is exposed to it. */
export const balance = router({
  read: operatorProcedure.query(async ({ ctx: { database, services } }) => {
    const [exposure, orders, debits, attestations, topUps] = await Promise.all([
      readExposure(services),
      database
        .selectFrom('orders')
        .select(['order_id', 'account', 'output_network', 'state', 'amount', 'fee', 'claim_amount'])
        .select(['reserved_at', 'expires_at', 'user_op_hash', 'order_hash', 'outcome'])
        .where('closed_at', 'is', null)
        .orderBy('reserved_at', 'desc')
        .limit(shownOrders)
        .execute(),
      database
        .selectFrom('order_debits')
        .select(['network', 'state', sql<number>`count(*)::int4`.as('count')])
        .select(sql<string>`coalesce(sum(coalesce(due, amount) - settled_amount), 0)::text`.as('open'))
        .where('state', 'in', ['RESERVED', 'DUE', 'PARTIAL'])
        .where('closed_at', 'is', null)
        .groupBy(['network', 'state'])
        .orderBy('network')
        .execute(),
      database
        .selectFrom('orders')
        .innerJoin('attestations', 'attestations.order_hash', 'orders.order_hash')
        .select(['orders.order_id', 'attestor', 'attestations.outcome', 'decided_at'])
        .where('orders.closed_at', 'is', null)
        .orderBy('decided_at', 'desc')
        .limit(200)
        .execute(),
      database.selectFrom('gas_top_ups').selectAll().orderBy('created_at', 'desc').limit(10).execute(),
    ])
    return {
      networks: exposure.map(({ network, liquidity, reserved, lent, due }) => ({
        network,
        liquidity: liquidity === null ? null : String(liquidity),
        ...{ reserved: String(reserved), lent: String(lent), due: String(due) },
      })),
      orders: orders.map((order) => ({
        ...{ id: order.order_id, account: getAddress(order.account), network: order.output_network },
        ...{ state: order.state, amount: String(order.amount), fee: String(order.fee) },
        ...{ claim: String(order.claim_amount), hash: order.user_op_hash, outcome: order.outcome },
        reservedAt: order.reserved_at.toISOString(),
        attestors: attestations
          .filter(({ order_id }) => order_id === order.order_id)
          .map(({ attestor, outcome }) => ({ attestor: getAddress(attestor), outcome })),
      })),
      debits: debits.map(({ network, state, count, open }) => ({ network, state, count, open })),
      topUps: topUps.map(({ network, amount, created_at, txn_hash, final }) => ({
        ...{ network, amount: String(amount), final, txnHash: txn_hash },
        at: created_at.toISOString(),
      })),
    }
  }),
})
