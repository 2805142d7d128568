import { setTimeout as delay } from 'node:timers/promises'
import { errorBody, statusOf } from '@lanyard/contracts'
import { openDatabase } from '@lanyard/database'
import { freshDatabase, testEngines } from '@lanyard/database/testing'
import { startPostgresProxy, type TcpFault } from '@lanyard/fault-proxy'
import { reportFigure } from '@lanyard/promises'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { findEndpoint } from '../../src/endpoint-list.ts'
import { createCallers, type SweptAnswer, sweepAll, sweepNetwork } from '../faults/sweep.ts'
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
import { createPatientClient, type PatientClient } from './patient-client.ts'

/** Milliseconds that PostgreSQL is away, at least: `pnpm test:long` keeps the promise of ten seconds. */
const away = process.env.LANYARD_LONG === undefined ? 2_500 : 10_000

/** Milliseconds until a silent server is given up here: long for a statement on a busy machine, short for a test. */
const answerBound = 2_500

/** Milliseconds under load before and after. */
const usual = 1_500

const outages: readonly (readonly [string, TcpFault])[] = [
  ['refuses connections', { kind: 'refuse' }],
  ['keeps its connections and never answers on them again', { kind: 'black-hole', forEver: true }],
]

/** Only PostgreSQL can be away. */
test.skipIf(!testEngines().includes('postgresql')).each(outages)(
  'behavior: while PostgreSQL %s under load, every answer says so; then all goes on without a restart, nothing is lost and nothing done twice',
  { timeout: 240_000 },
  async (name, fault) => {
    await using stack = new AsyncDisposableStack()
    const direct = stack.use(await freshDatabase('postgresql'))
    const proxy = stack.use(await startPostgresProxy(direct.url ?? ''))
    const service = stack.use(
      await startOrderService({
        chainIds: [sourceNetwork, outputNetwork],
        database: await openDatabase({ url: proxy.databaseUrl, answerBound }),
        environment: { INCLUSION_TIMEOUT: '10' },
      }),
    )
    const callers = await createCallers(service, [outputNetwork])
    const client = createPatientClient(service.service.url)
    const operations: SignedOperation[] = []
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
    const created: string[] = []

    const load = Promise.allSettled([
      eoaActor(stage, account),
      eoaActor(stage, account),
      passkeyActor(stage, passkey),
      orderActor(stage, spender),
      readerActor(stage, account.address),
      newcomer(stage, created),
    ])
    await delay(usual)
    await proxy.set(fault)
    const began = performance.now()
    const [answers] = await Promise.all([
      Promise.all([sweepNetwork(service.rest, outputNetwork, callers), sweepAll(service.rest, callers)]).then(
        (all) => all.flat(),
      ),
      expect
        .poll(() => service.rest.get('/health'), { timeout: 60_000 })
        .toMatchObject({ status: 503, body: { status: 'down', checks: { database: 'down' } } }),
    ])
    await delay(Math.max(0, away - (performance.now() - began)))
    await proxy.set({ kind: 'pass' })
    await expect
      .poll(async () => (await service.rest.get('/health')).body.status, { timeout: 60_000 })
      .toBe('ok')
    await untilCalm(client)
    goesOn = false
    const ended = await load

    expectRefusals(answers)
    expect(client.faults).toEqual([])
    expect(ended.filter(({ status }) => status === 'rejected')).toEqual([])
    expect(client.refusals()).toBeGreaterThan(0)
    await expectOnceOnChain(service, operations)
    await expectNoLaneTwice(direct.db, operations)
    await expectOrdersSettledOnce(direct.db, service, [spender])
    const transactions = await expectNoBundleTwice(direct.db, service)
    const rows = await direct.db.selectFrom('users').select('username').execute()
    expect(rows.map(({ username }) => username)).toEqual(expect.arrayContaining(created))

    const where = `while PostgreSQL ${name}`
    reportFigure(5, `milliseconds of load ${where}`, away)
    reportFigure(5, `requests refused and sent again ${where}`, client.refusals())
    reportFigure(5, `slowest answer ${where}`, `${Math.round(client.slowest())} ms`)
    reportFigure(
      5,
      `operations, each once on chain, in transactions, ${where}`,
      [operations.length, transactions].join(', '),
    )
    reportFigure(5, `users created, none lost, ${where}`, created.length)
  },
)

/** Registers one EOA after the other. */
async function newcomer({ client, goesOn }: Stage, created: string[]): Promise<void> {
  while (goesOn()) {
    const eoaAddress = privateKeyToAccount(generatePrivateKey()).address
    const { body } = await client.send({
      kind: 'create',
      path: '/smart-account/create',
      body: { eoaAddress },
    })
    created.push(body.username)
  }
}

/** Until all are answered and nobody is refused, for longer than a connection from before can go unnoticed. */
async function untilCalm(client: PatientClient): Promise<void> {
  const isCalm = async () => {
    const { refusals, answers } = { refusals: client.refusals(), answers: client.answers() }
    await delay(answerBound + 1_000)
    return client.refusals() === refusals && client.answers() > answers
  }
  await expect.poll(isCalm, { timeout: 60_000 }).toBe(true)
}

/** Each endpoint either needed no database or said, in its own status, that there is none. */
function expectRefusals(answers: readonly SweptAnswer[]): void {
  const refused = answers.filter(({ status }) => status !== 200)
  for (const { endpoint, status, code, body } of refused) {
    if (endpoint === 'system.health') continue
    expect({ endpoint, code, status }).toEqual({
      endpoint,
      code: 'DATABASE_UNAVAILABLE',
      status: statusOf(errorBody.parse(body).code, findEndpoint(endpoint)),
    })
  }
  expect(refused.length).toBeGreaterThan(answers.length / 2)
}
