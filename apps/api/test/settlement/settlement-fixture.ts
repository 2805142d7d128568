import { setTimeout as delay } from 'node:timers/promises'
import type { Engine } from '@lanyard/database'
import { devRoles } from '@lanyard/devnet'
import { smartBalanceAbi } from '@lanyard/onchain'
import type { Address } from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { expect } from 'vitest'
import { attestOrders } from '../../src/domain/smart-balance/settlement/attest-orders.ts'
import {
  type BalanceNetwork,
  balanceNetworks,
  type SettlementDependencies,
} from '../../src/domain/smart-balance/settlement/dependencies.ts'
import { createSettler } from '../../src/domain/smart-balance/settlement/settler.ts'
import { trackOrders } from '../../src/domain/smart-balance/settlement/track-orders.ts'
import { payee, type StartOptions, sign, startOrderService } from '../orders/order-service.ts'

/** Two of the three attestors sign. */
export const attestors = devRoles.attestors.map(({ privateKey }) => privateKeyToAccount(privateKey))
export const settlerAccount = privateKeyToAccount(devRoles.settler.privateKey)

export interface FixtureWallet {
  readonly owner: PrivateKeyAccount
  readonly address: Address
}

interface Spending {
  readonly amount: bigint
  readonly outputNetwork: number
  /** Default: one call transfers the amount to {@link payee}. */
  readonly calls?: readonly object[]
  readonly allowRevert?: boolean
}

/**
 * Starts the service without its workers, so a test runs their passes itself. The test passes an open database, so the
 * URL is not used.
 */
export async function startFixture(
  engine: Engine,
  options: Pick<StartOptions, 'blockTime' | 'settings' | 'startProxy' | 'production'> = {},
) {
  const service = await startOrderService({
    engine,
    production: true,
    environment: { ROLES: 'api', DATABASE_URL: 'postgresql://brought-along' },
    ...options,
  })
  // anvil does not serve the state of its first block, which is the final block at the start.
  for (const { chainId } of service.devnet.networks) await service.finalize(chainId)
  const { services } = service.service
  const { database } = services
  const networks = new Map(balanceNetworks(services.networks).map((one) => [one.network.chainId, one]))

  const on = (chainId: number): BalanceNetwork => {
    const network = networks.get(chainId)
    if (network) return network
    throw new TypeError(`There is no network ${chainId}`)
  }

  const settlerOn = (chainId: number, dependencies: SettlementDependencies = services, at = on(chainId)) =>
    createSettler(dependencies, at, {
      account: settlerAccount,
      // Short leases let the next process take over the work of a dead one quickly.
      settings: { leaseDuration: 1_000, resendAfter: 300 },
    })

  const track = (chainId: number) => trackOrders(services, on(chainId))
  const attest = (chainId: number, who: readonly PrivateKeyAccount[] = attestors.slice(0, 2)) =>
    attestOrders(services, on(chainId), who)

  const readOrder = async (orderId: string) => {
    const [order, debits] = await Promise.all([
      database.selectFrom('orders').selectAll().where('order_id', '=', orderId).executeTakeFirstOrThrow(),
      database
        .selectFrom('order_debits')
        .selectAll()
        .where('order_id', '=', orderId)
        .orderBy('network')
        .execute(),
    ])
    return { order, debits }
  }

  async function build(wallet: FixtureWallet, { amount, outputNetwork, calls, allowRevert }: Spending) {
    const { status, body } = await service.build({
      network: String(outputNetwork),
      walletAddress: wallet.address,
      transactionDetails: calls ?? [service.transfer(outputNetwork, payee, amount)],
      orderData: { amount: amount.toString() },
      ...(allowRevert && { allowRevert }),
    })
    expect({ status, body }).toMatchObject({ status: 200 })
    const signature = await sign.raw(wallet.owner, body.messageToSign)
    return { orderId: body.order.orderId as string, signature, userOp: body.userOp, body }
  }

  /** Builds, signs and submits; the operation is included afterwards. */
  async function spend(wallet: FixtureWallet, spending: Spending): Promise<string> {
    const { orderId, signature } = await build(wallet, spending)
    const { status, body } = await service.submit({ walletAddress: wallet.address, signature })
    expect({ ...body, status }).toMatchObject({ status: 200, success: expect.any(Boolean) })
    return orderId
  }

  /** Spends until the debits are due but not collected. */
  async function spendUntilDue(wallet: FixtureWallet, spending: Spending) {
    const { outputNetwork } = spending
    const orderId = await spend(wallet, spending)
    await track(outputNetwork)
    await service.finalize(outputNetwork)
    await attest(outputNetwork)
    await track(outputNetwork)
    expect((await readOrder(orderId)).order.state).toBe('ATTESTED')
    return orderId
  }

  /** Runs passes of all workers with new blocks, until the order has the expected fields. */
  async function passUntil(orderId: string, expected: object, passes = 12) {
    for (let pass = 1; ; pass++) {
      const { order, debits } = await readOrder(orderId)
      if (Object.entries(expected).every(([field, value]) => order[field as keyof typeof order] === value)) {
        return { order, debits }
      }
      if (pass > passes) expect({ ...order, debits }).toMatchObject(expected)
      // A lease of the settler lasts a second, in which a fast machine makes forty passes.
      if (pass > 3) await delay(50)
      await track(order.output_network)
      await attest(order.output_network)
      await track(order.output_network)
      for (const { network } of debits) await settlerOn(network).settle()
      for (const { network } of [...debits, { network: order.output_network }]) {
        await service.finalize(network)
      }
    }
  }

  const liquidityOf = (chainId: number) =>
    service.on(chainId).chain.readContract({
      address: service.on(chainId).smartBalance,
      abi: smartBalanceAbi,
      functionName: 'liquidity',
    })

  /** An account's deposit and the liquidity on each network. */
  const holdings = async (account: Address, chainIds: readonly number[]) =>
    Promise.all(
      chainIds.map(async (chainId) => ({
        deposit: await service.depositOf(chainId, account),
        liquidity: await liquidityOf(chainId),
      })),
    )

  /** The settlement events of an order. */
  const settlements = async (chainId: number, orderHash: string | null) => {
    const logs = await service.on(chainId).chain.getContractEvents({
      address: service.on(chainId).smartBalance,
      abi: smartBalanceAbi,
      eventName: 'OrderSettled',
      fromBlock: 0n,
      strict: true,
    })
    return logs.filter(({ args }) => args.orderHash === orderHash)
  }

  return {
    ...service,
    services,
    db: database,
    balanceOn: on,
    settlerOn,
    track,
    attest,
    readOrder,
    build,
    spend,
    spendUntilDue,
    passUntil,
    liquidityOf,
    holdings,
    settlements,
    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
  }
}

export type Fixture = Awaited<ReturnType<typeof startFixture>>
