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
  expectNoBundleTwice,
  expectNoLaneTwice,
  expectOnceOnChain,
  expectOrdersSettledOnce,
} from '../load/expect-once.ts'
import { outputNetwork, type SignedOperation, type Stage, sourceNetwork } from '../load/stage.ts'
import { startOrderService } from '../orders/order-service.ts'
import { createPatientClient } from './patient-client.ts'

/** Milliseconds until a silent server is given up here: long for a statement on a busy machine, short for a test. */
export const answerBound = 2_500

/** The service on PostgreSQL behind a proxy. */
export async function startServiceBehindProxy() {
  await using started = new AsyncDisposableStack()
  const direct = started.use(await freshDatabase('postgresql'))
  const proxy = started.use(await startPostgresProxy(direct.url ?? ''))
  const service = started.use(
    await startOrderService({
      chainIds: [sourceNetwork, outputNetwork],
      database: await openDatabase({ url: proxy.databaseUrl, answerBound }),
      environment: { INCLUSION_TIMEOUT: '10' },
    }),
  )
  const running = started.move()
  return { direct, proxy, service, [Symbol.asyncDispose]: () => running.disposeAsync() }
}

export type ServiceBehindProxy = Awaited<ReturnType<typeof startServiceBehindProxy>>

/** Callers of every kind, from now on, who ask again until they have what they asked for. */
export async function startLoad({ direct, service }: ServiceBehindProxy) {
  const client = createPatientClient(service.service.url)
  const operations: SignedOperation[] = []
  const created: string[] = []
  let goesOn = true
  const stage: Stage = {
    client,
    chains: service,
    goesOn: () => goesOn,
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
    newcomer(stage, created),
  ])

  return {
    client,
    operations,
    created,
    /** Until all are answered and nobody is refused, for longer than a connection from before can go unnoticed. */
    async calm(): Promise<void> {
      const isCalm = async () => {
        const [refusals, answers] = [client.refusals(), client.answers()]
        await delay(answerBound + 1_000)
        return client.refusals() === refusals && client.answers() > answers
      }
      await expect.poll(isCalm).toBe(true)
    },
    /** Lets everybody finish what they began. */
    async stop(): Promise<void> {
      goesOn = false
      const ended = await load
      expect(ended.filter(({ status }) => status === 'rejected')).toEqual([])
    },
    /**
     * Nothing of what was answered or signed is lost, and nothing was done twice.
     *
     * @returns transactions that the relayer sent
     */
    async expectIntact(): Promise<number> {
      await expectOnceOnChain(service, operations)
      await expectNoLaneTwice(direct.db, operations)
      await expectOrdersSettledOnce(direct.db, service, [spender])
      const transactions = await expectNoBundleTwice(direct.db, service)
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

/** Registers one EOA after the other. */
async function newcomer({ client, goesOn }: Stage, created: string[]): Promise<void> {
  while (goesOn()) {
    const eoaAddress = privateKeyToAccount(randomPrivateKey()).address
    const { body } = await client.send({
      kind: 'create',
      path: '/smart-account/create',
      body: { eoaAddress },
    })
    created.push(body.username)
  }
}
