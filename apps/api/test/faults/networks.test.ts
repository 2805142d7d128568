/** @module-tag all */
/** @module-tag longer */
import { setTimeout as delay } from 'node:timers/promises'
import { errorBody, statusOf } from '@lanyard/contracts'
import type { OperationRow } from '@lanyard/database'
import { testEngines } from '@lanyard/database/testing'
import { reportFigure } from '@lanyard/testing'
import type { Address, Hash, Hex } from 'viem'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { findEndpoint } from '../../src/platform/endpoint-list.ts'
import { inclusionsOf } from '../inclusions-of.ts'
import { payee, sign } from '../orders/order-service.ts'
import { type FaultyService, startFaultyService } from './faulty-service.ts'
import { type FaultCase, networkFaults } from './network-faults.ts'
import { createPace, greatestSlowdown, type Pace } from './pace.ts'
import { type Callers, createCallers, type SweptAnswer, sweepAll, sweepNetwork } from './sweep.ts'

/** The first one stays healthy; the others fail at the same time, each in its own way. */
const [healthy, ...failing] = [31337, 31338, 31339, 31340] as const

/** Of one RPC request, milliseconds. */
const rpcTimeout = 6_000

let service: FaultyService
const callers = new Map<number, Callers>()
const usual = new Map<string, string | undefined>()
/** On the healthy network, while the others had the same load as later. */
let usualPace: Pace
beforeAll(async () => {
  service = await startFaultyService({
    chainIds: [healthy, ...failing],
    engine: testEngines().at(-1) ?? 'pglite',
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
  mover = await createMover()
  await Promise.all(failing.map(sweep))
  const [pace] = await Promise.all([useHealthy(), ...failing.map(sweep)])
  usualPace = pace
})
afterEach(async () => {
  // A round that failed must not break those after it.
  for (const network of failing) {
    await service.healNetwork(network)
    await setBlocks(network, true)
  }
  const isOk = async () => (await service.rest.get('/health')).body.status
  await expect.poll(isOk, { interval: 200 }).toBe('ok')
})
afterAll(async () => {
  reportFigure(4, 'kinds of RPC faults', networkFaults.length)
  reportFigure(4, 'requests while a network failed', slowest.requests)
  reportFigure(4, 'slowest answer about a network that failed', `${Math.round(slowest.failing)} ms`)
  reportFigure(4, 'slowest answer about another network', `${Math.round(slowest.healthy)} ms`)
  reportFigure(
    4,
    'times as long as usual took what slowed down most on another network',
    slowest.slowdown.toFixed(1),
  )
  reportFigure(4, 'operations on another network meanwhile, each built, submitted and final', moved.length)
  reportFigure(4, 'operations that lasted through it, each included once', slowest.operations)
  await service?.[Symbol.asyncDispose]()
})

const slowest = { requests: 0, failing: 0, healthy: 0, slowdown: 0, operations: 0 }

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

type Wallet = Awaited<ReturnType<FaultyService['createWallet']>>

async function createFundedWallet(network: number): Promise<Wallet> {
  const wallet = await service.createWallet()
  await service.on(network).chain.setBalance({ address: wallet.address, value: 10n ** 18n })
  return wallet
}

/** An operation, by default of a new account, signed and not sent. */
async function signOperation(network: number, wallet?: Wallet): Promise<Signed> {
  const { owner, address } = wallet ?? (await createFundedWallet(network))
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

/** An account on the healthy network, deployed. */
async function createMover(): Promise<Wallet> {
  const wallet = await createFundedWallet(healthy)
  await move(wallet)
  return wallet
}

/** Builds, submits, and waits for inclusion. */
async function move(wallet: Wallet): Promise<void> {
  const { submission } = await signOperation(healthy, wallet)
  const submit = () => service.submit(submission)
  let answer = await submit()
  while (answer.body.code === 'INCLUSION_TIMEOUT') answer = await submit()
  expect(answer).toMatchObject({ status: 200, body: { success: true } })
  moved.push(answer.body.userOpHash)
}

let mover: Wallet
const moved: string[] = []

/** Repeats every action on the healthy network: often enough for a median, and until stopped. */
async function useHealthy(goesOn: () => boolean = () => false): Promise<Pace> {
  const pace = createPace()
  for (let turn = 0; turn < 3 || goesOn(); turn++) {
    const began = performance.now()
    const moving = move(mover).then(() => pace.note('build, submit, inclusion', performance.now() - began))
    const [answers] = await Promise.all([sweep(healthy), moving])
    slowest.requests += answers.length + 2
    for (const { endpoint, code, took, spansNetworks } of answers) {
      expect({ endpoint, code }).toEqual({ endpoint, code: usual.get(endpoint) })
      if (spansNetworks) continue
      pace.note(endpoint, took)
      slowest.healthy = Math.max(slowest.healthy, took)
    }
  }
  return pace.times
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
  await expect.poll(async () => (await service.on(network).chain.getTxpoolStatus()).pending).toBe(1)
  return { ...signed, hash: body.userOpHash as Hash } // the service's own
}

/** Everything done on the healthy network is there once, and final. */
async function expectMoved() {
  const events = await eventsOf(healthy, mover.address)
  expect(events.map(({ args }) => args.userOpHash)).toEqual(moved)
  const last = moved.at(-1) ?? ''
  await expect.poll(() => readRow(last)).toMatchObject({ success: true, final: true })
}

const eventsOf = (network: number, sender: Address) => inclusionsOf(service.on(network).chain, sender)

/** What a row may say while its network lies: nothing known yet, or the truth. */
async function expectNoWrongState(network: number, account: Address, hash: string) {
  const { state, final, block_hash, txn_hash, success } = await readRow(hash)
  if (state !== 'included') return expect({ state, final }).toEqual({ state: 'submitted', final: false })
  const [event] = await eventsOf(network, account)
  expect([block_hash, txn_hash, success]).toEqual([event?.blockHash, event?.transactionHash, true])
}

const networkNames = () =>
  service.devnet.networks.filter(({ chainId }) => chainId !== healthy).map(({ name }) => name)

function expectRefusals({ kind, seenBy = [] }: FaultCase, answers: readonly SweptAnswer[]) {
  for (const { endpoint, status, code, body } of answers) {
    const codes: unknown[] = ['NETWORK_UNAVAILABLE', 'NETWORK_FAILED']
    const isSeen = seenBy.some((one) => one === endpoint)
    if (kind === 'lies' && !isSeen) codes.push(usual.get(endpoint))
    expect({ endpoint, code, isExpected: codes.includes(code) }).toMatchObject({ endpoint, isExpected: true })
    if (code === undefined) continue
    if (code !== usual.get(endpoint)) {
      expect(networkNames().filter((name) => body.message.includes(name))).not.toEqual([])
    }
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
  'behavior: while networks fail (%s), every request is answered, nothing wrong is written, other networks work, and every operation is included once',
  // Some of these nodes never answer, so a wait without a time-out does not end.
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

    const asked = Promise.all(
      broken.map(async ({ network, faultCase, unsent }) => {
        const began = performance.now()
        const [answers, { status, body }] = await Promise.all([
          sweep(network),
          service.submit(unsent.submission),
        ])
        slowest.failing = Math.max(slowest.failing, tookMost(answers), performance.now() - began)
        slowest.requests += answers.length + 1
        expectRefusals(faultCase, answers)
        const codes = ['NETWORK_UNAVAILABLE', 'NETWORK_FAILED', 'INCLUSION_TIMEOUT']
        if (status !== 200) expect(codes).toContain(body.code)
      }),
    )
    let isAsking = true
    const ended = asked.finally(() => {
      isAsking = false
    })
    const [allAnswers, pace] = await Promise.all([
      sweepAll(service.rest, of(healthy)),
      useHealthy(() => isAsking),
      ended,
    ])
    slowest.requests += allAnswers.length
    for (const { endpoint, code } of allAnswers) {
      expect({ endpoint, code }).toEqual({ endpoint, code: usual.get(endpoint) })
    }
    slowest.slowdown = Math.max(slowest.slowdown, greatestSlowdown(usualPace, pace))

    await delay(3_000) // some passes of the worker, which could write something false
    await expectMoved()
    for (const { network, pending } of broken) {
      await expectNoWrongState(network, pending.account, pending.hash)
    }

    await Promise.all(broken.map(({ network }) => service.healNetwork(network)))
    await Promise.all(
      broken.map(async ({ network, pending, unsent }) => {
        await expect
          .poll(() => readRow(pending.hash), { interval: 200 })
          .toMatchObject({ state: 'included', success: true, final: true })
        await expect.poll(async () => (await service.submit(unsent.submission)).status).toBe(200)
        for (const { account } of [pending, unsent]) {
          expect(await eventsOf(network, account)).toHaveLength(1)
          slowest.operations++
        }
      }),
    )
  },
)

test('behavior: open circuits appear in the metrics and in the log, and all are closed again', async () => {
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
