import { setTimeout as delay } from 'node:timers/promises'
import { errorBody, statusOf } from '@lanyard/contracts'
import type { OperationRow } from '@lanyard/database'
import { reportFigure } from '@lanyard/promises'
import type { Address, Hash, Hex } from 'viem'
import { entryPoint07Abi, entryPoint07Address } from 'viem/account-abstraction'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { findEndpoint } from '../../src/endpoint-list.ts'
import { payee, sign } from '../orders/order-service.ts'
import { type FaultyService, startFaultyService } from './faulty-service.ts'
import { type FaultCase, networkFaults } from './network-faults.ts'
import { type Callers, createCallers, type SweptAnswer, sweepAll, sweepNetwork } from './sweep.ts'

/** The first one is well all the time; the other two fail, each in its way, at the same time. */
const [healthy, ...failing] = [31337, 31338, 31339] as const

/** Of one RPC request, milliseconds. What no network fails is answered faster than that. */
const rpcTimeout = 6_000

/** Within this everything is answered, whatever fails: two time-outs one after the other, and a slow machine. */
const bound = 3 * rpcTimeout

let service: FaultyService
const callers = new Map<number, Callers>()
const usual = new Map<string, string | undefined>()
beforeAll(async () => {
  service = await startFaultyService({
    settings: { rpcTimeout, pollingInterval: 100 },
    environment: { INCLUSION_TIMEOUT: '2' },
  })
  for (const network of [healthy, ...failing]) callers.set(network, await createCallers(service, [network]))
  for (const { endpoint, code } of [
    ...(await sweep(healthy)),
    ...(await sweepAll(service.rest, of(healthy))),
  ]) {
    usual.set(endpoint, code)
  }
}, 120_000)
afterEach(async () => {
  // A round that failed must not break those after it.
  for (const network of failing) {
    await service.healNetwork(network)
    await setBlocks(network, true)
  }
  const isOk = async () => (await service.rest.get('/health')).body.status
  await expect.poll(isOk, { timeout: 60_000, interval: 200 }).toBe('ok')
}, 70_000)
afterAll(async () => {
  reportFigure(4, 'kinds of RPC faults', networkFaults.length)
  reportFigure(4, 'requests while a network failed', slowest.requests)
  reportFigure(4, 'slowest answer about a network that failed', `${Math.round(slowest.failing)} ms`)
  reportFigure(4, 'slowest answer about another network', `${Math.round(slowest.healthy)} ms`)
  reportFigure(4, 'operations that lasted through it, each included once', slowest.operations)
  await service?.[Symbol.asyncDispose]()
})

const slowest = { requests: 0, failing: 0, healthy: 0, operations: 0 }

function of(network: number): Callers {
  const found = callers.get(network)
  if (found) return found
  throw new TypeError(`There are no callers on ${network}`)
}

const sweep = (network: number) => sweepNetwork(service.rest, network, of(network))
const tookMost = (answers: readonly SweptAnswer[]) => Math.max(...answers.map(({ took }) => took))

const readRow = (hash: string): Promise<OperationRow> =>
  service.database.db
    .selectFrom('operations')
    .selectAll()
    .where('user_op_hash', '=', hash)
    .executeTakeFirstOrThrow()

interface Signed {
  readonly account: Address
  readonly submission: { readonly walletAddress: Address; readonly signature: Hex }
}

/** An operation of a new account, signed and not sent. */
async function signOperation(network: number): Promise<Signed> {
  const { owner, address } = await service.createWallet()
  await service.on(network).chain.setBalance({ address, value: 10n ** 18n })
  const { status, body } = await service.build({
    network: String(network),
    walletAddress: address,
    transactionDetails: [{ targetContractAddress: payee, value: '1', encodedData: '0x' }],
  })
  expect({ status, body }).toMatchObject({ status: 200 })
  return {
    account: address,
    submission: { walletAddress: address, signature: await sign.raw(owner, body.messageToSign) },
  }
}

async function setBlocks(network: number, running: boolean) {
  const { chain } = service.on(network)
  await chain.setAutomine(running)
  await chain.setIntervalMining({ interval: running ? 1 : 0 })
}

/** An operation that the bundler has, on a chain without blocks. */
async function submitPending(network: number) {
  const signed = await signOperation(network)
  await setBlocks(network, false)
  const { status, body } = await service.submit(signed.submission)
  expect({ status, code: body.code }).toEqual({ status: 504, code: 'INCLUSION_TIMEOUT' })
  await expect
    .poll(async () => (await service.on(network).chain.getTxpoolStatus()).pending, { timeout: 20_000 })
    .toBe(1)
  return { ...signed, hash: body.userOpHash as Hash } // the service's own
}

const eventsOf = (network: number, sender: Address) =>
  service.on(network).chain.getContractEvents({
    address: entryPoint07Address,
    abi: entryPoint07Abi,
    eventName: 'UserOperationEvent',
    args: { sender },
    fromBlock: 0n,
    strict: true,
  })

/** What a row may say while its network lies: that nothing is known yet, or the truth. */
async function expectNoWrongState(network: number, account: Address, hash: string) {
  const { state, final, block_hash, txn_hash, success } = await readRow(hash)
  if (state !== 'included') return expect({ state, final }).toEqual({ state: 'submitted', final: false })
  const [event] = await eventsOf(network, account)
  expect([block_hash, txn_hash, success]).toEqual([event?.blockHash, event?.transactionHash, true])
}

function expectRefusals({ kind }: FaultCase, answers: readonly SweptAnswer[]) {
  for (const { endpoint, status, code, body } of answers) {
    const codes: unknown[] = ['NETWORK_UNAVAILABLE', 'NETWORK_FAILED']
    if (kind === 'lies') codes.push(usual.get(endpoint))
    expect({ endpoint, code, isUsual: codes.includes(code) }).toMatchObject({ endpoint, isUsual: true })
    if (code === undefined) continue
    expect({ endpoint, status }).toEqual({
      endpoint,
      status: statusOf(errorBody.parse(body).code, findEndpoint(endpoint)),
    })
  }
}

const rounds = Array.from({ length: Math.ceil(networkFaults.length / failing.length) }, (_, round) =>
  networkFaults.slice(round * failing.length, (round + 1) * failing.length),
)

test.each(rounds.map((cases) => [cases.map(({ name }) => name).join(' and '), cases] as const))(
  'behavior: while networks fail (%s), every answer is bounded, nothing wrong is written, others go on, and all lands once',
  { timeout: 180_000 },
  async (_names, cases) => {
    const broken = await Promise.all(
      cases.map(async (faultCase, index) => {
        const network = failing[index] ?? healthy
        const unsent = await signOperation(network)
        return { faultCase, network, unsent, pending: await submitPending(network) }
      }),
    )
    await Promise.all(broken.map(({ network, faultCase }) => service.breakNetwork(network, faultCase.fault)))
    service.advance(5_000) // by then the chain is asked for its id again
    await Promise.all(broken.map(({ network }) => setBlocks(network, true)))

    const [wellAnswers, allAnswers] = await Promise.all([
      sweep(healthy),
      sweepAll(service.rest, of(healthy)),
      ...broken.map(async ({ network, faultCase, unsent }) => {
        const began = performance.now()
        const [answers, { status, body }] = await Promise.all([
          sweep(network),
          service.submit(unsent.submission),
        ])
        slowest.failing = Math.max(slowest.failing, tookMost(answers), performance.now() - began)
        slowest.requests += answers.length + 1
        const late = answers.filter(({ took }) => took >= bound)
        expect(late.map(({ endpoint, took }) => ({ endpoint, took }))).toEqual([])
        expect(performance.now() - began).toBeLessThan(bound)
        expectRefusals(faultCase, answers)
        const codes = ['NETWORK_UNAVAILABLE', 'NETWORK_FAILED', 'INCLUSION_TIMEOUT']
        if (status !== 200) expect(codes).toContain(body.code)
      }),
    ])
    slowest.requests += wellAnswers.length + allAnswers.length
    for (const answer of [...wellAnswers, ...allAnswers]) {
      const { endpoint, code, took, spansNetworks } = answer
      const limit = spansNetworks ? bound : rpcTimeout
      expect({ endpoint, code, took, inTime: took < limit }).toMatchObject({
        endpoint,
        code: usual.get(endpoint),
        inTime: true,
      })
      if (!spansNetworks) slowest.healthy = Math.max(slowest.healthy, took)
    }

    await delay(3_000) // some passes of the worker, which could write what is not so
    for (const { network, pending } of broken) {
      await expectNoWrongState(network, pending.account, pending.hash)
    }

    await Promise.all(broken.map(({ network }) => service.healNetwork(network)))
    await Promise.all(
      broken.map(async ({ network, pending, unsent }) => {
        await expect
          .poll(() => readRow(pending.hash), { timeout: 60_000, interval: 200 })
          .toMatchObject({ state: 'included', success: true, final: true })
        await expect
          .poll(async () => (await service.submit(unsent.submission)).status, { timeout: 60_000 })
          .toBe(200)
        for (const { account } of [pending, unsent]) {
          expect(await eventsOf(network, account)).toHaveLength(1)
          slowest.operations++
        }
      }),
    )
  },
)

test('behavior: the circuits were seen: in the metrics, in the log, and none is open any more', async () => {
  const metrics = await (await fetch(`${service.service.url}/metrics`)).text()
  const lines = metrics.split('\n').filter((line) => line.startsWith('lanyard_network_circuit'))
  expect(lines).toContainEqual(
    expect.stringMatching(/^lanyard_network_circuit_openings_total\{network="31338",endpoint="1"\} [1-9]/),
  )
  expect(lines).toContain('lanyard_network_circuit_open{network="31338"} 0')
  expect(service.logged).toContainEqual(
    expect.objectContaining({
      msg: 'an RPC endpoint failed several times in a row and is left alone',
      network: 31338,
      pause: 1_000,
    }),
  )
  const { body } = await service.rest.get('/health')
  expect(body.status).toBe('ok')
})
