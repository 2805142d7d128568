/** @module-tag all */
/** @module-tag first */
/** @module-tag longer */
// @promise 4
import { setTimeout as delay } from 'node:timers/promises'
import { errorBody, statusOf } from '@lanyard/contracts'
import type { OperationRow } from '@lanyard/database'
import { usualEngine } from '@lanyard/database/testing'
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

/** The first one stays healthy. The others fail at the same time, each in its own way. */
const [healthy, ...failing] = [31337, 31338, 31339, 31340] as const

/** The time-out of one RPC request in milliseconds. */
const rpcTimeout = 6_000

let service: FaultyService
const callers = new Map<number, Callers>()
const baselineCodes = new Map<string, string | undefined>()
/** The pace on the healthy network while the other networks have the same load as later. */
let baselinePace: Pace
beforeAll(async () => {
  service = await startFaultyService({
    chainIds: [healthy, ...failing],
    engine: usualEngine(),
    settings: { rpcTimeout, pollingInterval: 100 },
    environment: { INCLUSION_TIMEOUT: '2' },
  })
  for (const network of [healthy, ...failing]) callers.set(network, await createCallers(service, [network]))
  for (const { endpoint, code } of [
    ...(await sweep(healthy)),
    ...(await sweepAll(service.rest, callersOf(healthy))),
  ]) {
    baselineCodes.set(endpoint, code)
  }
  healthyWallet = await createHealthyWallet()
  await Promise.all(failing.map(sweep))
  const [pace] = await Promise.all([useHealthy(), ...failing.map(sweep)])
  baselinePace = pace
})
afterEach(async () => {
  // A failed round must not break the next ones.
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
  reportFigure(4, 'slowest answer about a failing network', `${Math.round(slowest.failing)} ms`)
  reportFigure(4, 'slowest answer about another network', `${Math.round(slowest.healthy)} ms`)
  reportFigure(4, 'largest slowdown of a kind of request on another network', slowest.slowdown.toFixed(1))
  reportFigure(
    4,
    'operations on another network in the meantime, each built, submitted and final',
    sentHashes.length,
  )
  reportFigure(4, 'operations that outlasted a fault, each included once', slowest.operations)
  await service?.[Symbol.asyncDispose]()
})

const slowest = { requests: 0, failing: 0, healthy: 0, slowdown: 0, operations: 0 }

function callersOf(network: number): Callers {
  const found = callers.get(network)
  if (found) return found
  throw new TypeError(`No callers on network ${network}`)
}

const sweep = (network: number) => sweepNetwork(service.rest, network, callersOf(network))
const maxDuration = (answers: readonly SweptAnswer[]) => Math.max(...answers.map(({ took }) => took))

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

/** Signs an operation without sending it. By default, it is for a new account. */
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

/** Creates a deployed account on the healthy network. */
async function createHealthyWallet(): Promise<Wallet> {
  const wallet = await createFundedWallet(healthy)
  await sendOperation(wallet)
  return wallet
}

/** Builds, submits, and waits for inclusion. */
async function sendOperation(wallet: Wallet): Promise<void> {
  const { submission } = await signOperation(healthy, wallet)
  const submit = () => service.submit(submission)
  let answer = await submit()
  while (answer.body.code === 'INCLUSION_TIMEOUT') answer = await submit()
  expect(answer).toMatchObject({ status: 200, body: { success: true } })
  sentHashes.push(answer.body.userOpHash)
}

let healthyWallet: Wallet
const sentHashes: string[] = []

/** Repeats every action on the healthy network: often enough for a median, and until stopped. */
async function useHealthy(isRunning: () => boolean = () => false): Promise<Pace> {
  const pace = createPace()
  for (let turn = 0; turn < 3 || isRunning(); turn++) {
    const began = performance.now()
    const sending = sendOperation(healthyWallet).then(() =>
      pace.note('build, submit, inclusion', performance.now() - began),
    )
    const [answers] = await Promise.all([sweep(healthy), sending])
    slowest.requests += answers.length + 2
    for (const { endpoint, code, took, spansNetworks } of answers) {
      expect({ endpoint, code }).toEqual({ endpoint, code: baselineCodes.get(endpoint) })
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

/** Submits an operation that stays with the bundler, because the chain mines no blocks. */
async function submitPending(network: number) {
  const signed = await signOperation(network)
  await setBlocks(network, false)
  const { status, body } = await service.submit(signed.submission)
  expect({ status, code: body.code }).toEqual({ status: 504, code: 'INCLUSION_TIMEOUT' })
  await expect.poll(async () => (await service.on(network).chain.getTxpoolStatus()).pending).toBe(1)
  return { ...signed, hash: body.userOpHash as Hash } // the service returns a hash
}

/** Expects that every operation on the healthy network is on the chain once and final. */
async function expectSentOnce() {
  const events = await eventsOf(healthy, healthyWallet.address)
  expect(events.map(({ args }) => args.userOpHash)).toEqual(sentHashes)
  const last = sentHashes.at(-1) ?? ''
  await expect.poll(() => readRow(last)).toMatchObject({ success: true, final: true })
}

const eventsOf = (network: number, sender: Address) => inclusionsOf(service.on(network).chain, sender)

/** Expects that the row of an operation on a lying network is still submitted, or shows the true inclusion. */
async function expectNoWrongState(network: number, account: Address, hash: string) {
  const { state, final, block_hash, txn_hash, success } = await readRow(hash)
  if (state !== 'included') return expect({ state, final }).toEqual({ state: 'submitted', final: false })
  const [event] = await eventsOf(network, account)
  expect([block_hash, txn_hash, success]).toEqual([event?.blockHash, event?.transactionHash, true])
}

const networkNames = () =>
  service.devnet.networks.filter(({ chainId }) => chainId !== healthy).map(({ name }) => name)

function expectRejections({ kind, seenBy = [] }: FaultCase, answers: readonly SweptAnswer[]) {
  for (const { endpoint, status, code, body } of answers) {
    const codes: unknown[] = ['NETWORK_UNAVAILABLE', 'NETWORK_FAILED']
    const isSeen = seenBy.some((one) => one === endpoint)
    if (kind === 'lies' && !isSeen) codes.push(baselineCodes.get(endpoint))
    expect(codes, `${endpoint}: ${JSON.stringify(body)}`).toContain(code)
    if (code === undefined) continue
    if (code !== baselineCodes.get(endpoint)) {
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
    service.advance(5_000) // makes the service check the chain id again
    await Promise.all(broken.map(({ network }) => setBlocks(network, true)))

    const requests = Promise.all(
      broken.map(async ({ network, faultCase, unsent }) => {
        const began = performance.now()
        const [answers, { status, body }] = await Promise.all([
          sweep(network),
          service.submit(unsent.submission),
        ])
        slowest.failing = Math.max(slowest.failing, maxDuration(answers), performance.now() - began)
        slowest.requests += answers.length + 1
        expectRejections(faultCase, answers)
        const codes = ['NETWORK_UNAVAILABLE', 'NETWORK_FAILED', 'INCLUSION_TIMEOUT']
        if (status !== 200) expect(codes).toContain(body.code)
      }),
    )
    let isRequesting = true
    const ended = requests.finally(() => {
      isRequesting = false
    })
    const [allAnswers, pace] = await Promise.all([
      sweepAll(service.rest, callersOf(healthy)),
      useHealthy(() => isRequesting),
      ended,
    ])
    slowest.requests += allAnswers.length
    for (const { endpoint, code } of allAnswers) {
      const codes = [baselineCodes.get(endpoint)]
      // The last owner is known only when every network answers. Until then the plan names the missing ones.
      if (endpoint === 'owner.remove') codes.push(undefined)
      expect(codes, endpoint).toContain(code)
    }
    slowest.slowdown = Math.max(slowest.slowdown, greatestSlowdown(baselinePace, pace))

    await delay(3_000) // time for some passes of the worker, which could write a wrong state
    await expectSentOnce()
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

test('behavior: open circuits appear in the metrics and in the log, and all close again', async () => {
  await fetch(`${service.service.url}/metrics`) // what was counted before the first reading shows in the second
  const metrics = await (await fetch(`${service.service.url}/metrics`)).text()
  const lines = metrics.split('\n').filter((line) => line.startsWith('lanyard_network_circuit'))
  expect(lines).toContainEqual(
    expect.stringMatching(/^lanyard_network_circuit_openings_total\{network="31338",endpoint="1"\} [1-9]/),
  )
  expect(lines).toContain('lanyard_network_circuit_open{network="31338"} 0')
  expect(service.logged).toContainEqual(
    expect.objectContaining({
      msg: 'an RPC endpoint failed several times in a row and is paused',
      network: 31338,
      pause: 1_000,
    }),
  )
  const { body } = await service.rest.get('/health')
  expect(body.status).toBe('ok')
})
