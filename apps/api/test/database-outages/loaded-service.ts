import { setTimeout as delay } from 'node:timers/promises'
import { openDatabase } from '@lanyard/database'
import { freshDatabase } from '@lanyard/database/testing'
import { randomPrivateKey } from '@lanyard/testing'
import { startPostgresProxy } from '@lanyard/testing/fault-proxy'
import { privateKeyToAccount } from 'viem/accounts'
import { expect } from 'vitest'
import { createEoaAccount, eoaActor } from '../load/actors/eoa.ts'
import { createSpender, orderActor } from '../load/actors/order.ts'
import { createPasskeyAccount, passkeyActor } from '../load/actors/passkey.ts'
import { readerActor } from '../load/actors/reader.ts'
import {
  expectOnceOnChain,
  expectOrdersSettledOnce,
  expectUniqueNonces,
  expectUniqueTransactions,
} from '../load/expect-once.ts'
import { outputNetwork, type SignedOperation, type Stage, sourceNetwork } from '../load/stage.ts'
import { startOrderService } from '../orders/order-service.ts'
import { createRetryingClient } from './retrying-client.ts'

/**
 * Milliseconds until a silent server counts as failed: long enough for a statement on a busy machine, short enough
 * for a test.
 */
export const answerTimeout = 2_500

/** Starts the service with PostgreSQL behind a proxy. */
export async function startServiceBehindProxy() {
  await using started = new AsyncDisposableStack()
  const direct = started.use(await freshDatabase('postgresql'))
  const proxy = started.use(await startPostgresProxy(direct.url ?? ''))
  const service = started.use(
    await startOrderService({
      chainIds: [sourceNetwork, outputNetwork],
      database: await openDatabase({ url: proxy.databaseUrl, answerTimeout }),
      environment: { INCLUSION_TIMEOUT: '10' },
    }),
  )
  const running = started.move()
  return { direct, proxy, service, [Symbol.asyncDispose]: () => running.disposeAsync() }
}

export type ServiceBehindProxy = Awaited<ReturnType<typeof startServiceBehindProxy>>

/** Starts callers of every kind. They retry until their requests succeed. */
export async function startLoad({ direct, service }: ServiceBehindProxy) {
  const client = createRetryingClient(service.service.url)
  const operations: SignedOperation[] = []
  const created: string[] = []
  let isRunning = true
  const stage: Stage = {
    client,
    chains: service,
    isRunning: () => isRunning,
    signed: (operation) => void operations.push(operation),
  }
  const account = await createEoaAccount(stage)
  const passkey = await createPasskeyAccount(stage, service.service.url, 'ann')
  const spender = await createSpender(stage)
  const load = Promise.allSettled([
    eoaActor(stage, account),
    eoaActor(stage, account),
    passkeyActor(stage, passkey),
    orderActor(stage, spender),
    readerActor(stage, account.address),
    registrationActor(stage, created),
  ])

  return {
    client,
    operations,
    created,
    /** Waits until no caller is refused for longer than a broken connection can stay undetected. */
    async waitUntilStable(): Promise<void> {
      const isStable = async () => {
        const [refusals, answers] = [client.refusals(), client.answers()]
        await delay(answerTimeout + 1_000)
        return client.refusals() === refusals && client.answers() > answers
      }
      await expect.poll(isStable).toBe(true)
    },
    /** Lets all callers finish their current work. */
    async stop(): Promise<void> {
      isRunning = false
      const ended = await load
      expect(ended.filter(({ status }) => status === 'rejected')).toEqual([])
    },
    /**
     * Expects that nothing that was answered or signed is lost, and that nothing was done twice.
     *
     * @returns number of transactions that the relayer sent
     */
    async expectIntact(): Promise<number> {
      await expectOnceOnChain(service, operations)
      await expectUniqueNonces(direct.db, operations)
      await expectOrdersSettledOnce(direct.db, service, [spender])
      const transactions = await expectUniqueTransactions(direct.db, service)
      const rows = await direct.db
        .selectFrom('users')
        .leftJoin('accounts', 'accounts.user_id', 'users.id')
        .select(['username', 'address'])
        .execute()
      expect(rows.filter(({ address }) => address === null)).toEqual([])
      expect(rows.map(({ username }) => username)).toEqual(expect.arrayContaining(created))
      return transactions
    },
  }
}

export type Load = Awaited<ReturnType<typeof startLoad>>

/** Registers one EOA after another. */
async function registrationActor({ client, isRunning }: Stage, created: string[]): Promise<void> {
  while (isRunning()) {
    const eoaAddress = privateKeyToAccount(randomPrivateKey()).address
    const { body } = await client.send({
      kind: 'create',
      path: '/smart-account/create',
      body: { eoaAddress },
    })
    created.push(body.username)
  }
}
