import { encodeSignature } from '@lanyard/accounts'
import { type SenderEvent, senderEvents } from '@lanyard/bundler'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Operations, startOperations } from '../../../test/operation-fixture.ts'
import { recordCosts } from '../../../test/record-costs.ts'
import { noTracing } from '../tracing/tracing.ts'
import { createMetrics } from './metrics.ts'
import { logSender, observeBundler, observeRefills, observeRelayers } from './observe.ts'

describe('observeRelayers', () => {
  const relayer = '0x00000000000000000000000000000000000000AA'
  const event: SenderEvent = {
    ...{ kind: 'sent', reason: 'new', network: 31337, sender: relayer, nonce: 7, hash: '0xab' },
    ...{ fees: { maxFeePerGas: 2n ** 60n, maxPriorityFeePerGas: 3n }, age: 1_500, loss: 0n },
  }

  function start() {
    const lines: Record<string, unknown>[] = []
    const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(JSON.parse(line)) })
    const metrics = createMetrics(log)
    metrics.announce('relayer', { network: 31337, relayer })
    metrics.announce('refilled', { network: 31337, relayer })
    return { lines, metrics, log, observe: observeRelayers(metrics, log) }
  }

  const all = Object.entries(senderEvents).flatMap(
    ([kind, reasons]) => reasons.map((reason) => ({ kind: kind as SenderEvent['kind'], reason })), // Object.entries loses the literal keys
  )

  test.each(all)(
    'args: $kind for $reason is one line, with everything that tells why, and is counted',
    async ({ kind, reason }) => {
      const { lines, metrics, observe } = start()
      observe({ ...event, kind, reason, loss: 21n })
      expect(lines).toMatchObject([
        {
          level: ['lost', 'emptied', 'refused', 'over-limit', 'reverted', 'underpaid'].includes(kind)
            ? 40
            : 30,
          ...{ network: 31337, relayer, nonce: 7, hash: '0xab', reason, age: 1_500, loss: '21' },
          ...{ maxFeePerGas: '1152921504606846976', maxPriorityFeePerGas: '3' },
          msg: expect.stringContaining('transaction'),
        },
      ])
      await metrics.text() // what was counted before the first reading shows in the second
      const text = await metrics.text()
      const counted = [...text.matchAll(/^lanyard_relayer_transactions_total\{(.*)\} (?!0$)(.*)$/gm)]
      expect(counted.map(([, labels, value]) => [labels, value])).toEqual([
        [`network="31337",relayer="${relayer}",event="${kind}",reason="${reason}"`, '1'],
      ])
    },
  )

  test('default: a line without a loss does not name one; only what was sent counts as a loss', async () => {
    const { lines, metrics, observe } = start()
    observe(event)
    observe({ ...event, kind: 'replaced', reason: 'age', loss: 5n })
    observe({ ...event, kind: 'emptied', reason: 'fees', loss: 21n })
    observe({ ...event, kind: 'sent', reason: 'gap', loss: 7n })
    // It waits, so it costs nothing yet.
    observe({ ...event, kind: 'over-limit', reason: 'fees', loss: 100n })
    expect(lines.map(({ loss }) => loss)).toEqual([undefined, '5', '21', '7', '100'])
    await metrics.text() // what was counted before the first reading shows in the second
    expect(await metrics.text()).toContain(
      `lanyard_relayer_loss_wei_total{network="31337",relayer="${relayer}"} 33\n`,
    )
  })

  test.each([
    ['sent', 30],
    ['empty', 50],
    ['over-budget', 50],
    ['refused', 50],
  ] as const)('args: a refill with outcome %s is one line and is counted', async (outcome, level) => {
    const { lines, metrics, log } = start()
    const wei = { balance: 1n, funds: 2n ** 60n, amount: 3n, spent: 4n }
    observeRefills(
      metrics,
      log,
    )({ outcome, network: 31337, treasury: '0x0b', relayer, ...wei, nonce: 1, hash: '0xcd' })
    expect(lines).toMatchObject([
      {
        level,
        treasury: '0x0b',
        relayer,
        balance: '1',
        funds: String(2n ** 60n),
        amount: '3',
        spent: '4',
        hash: '0xcd',
      },
    ])
    await metrics.text() // what was counted before the first reading shows in the second
    expect(await metrics.text()).toContain(
      `lanyard_relayer_refills_total{network="31337",relayer="${relayer}",outcome="${outcome}"} 1\n`,
    )
  })

  test.each([
    ['settler', 'the settler'],
    ['topUp', 'the top-up key'],
    ['treasury', 'the treasury'],
  ] as const)(
    'args: what the %s spends over its limit is one line, like that of a relayer',
    (role, subject) => {
      const { lines, log } = start()
      logSender(log, role)({ ...event, kind: 'over-limit', reason: 'gap', loss: 21n })
      expect(lines).toMatchObject([
        { level: 40, [role]: relayer, nonce: 7, loss: '21', msg: expect.stringContaining(subject) },
      ])
    },
  )
})

/** With three losses, nothing more is sent for an address. */
const losses = 3

describe('observeBundler', () => {
  let at: Operations
  beforeAll(async () => {
    at = await startOperations('pglite')
  })
  afterAll(() => at[Symbol.asyncDispose]())

  /** The observed bundler, and a signed operation of a new account. */
  async function signOne() {
    const { chainId } = at.network
    const observers = { metrics: createMetrics(pino({ level: 'silent' })), tracing: noTracing }
    const bundler = observeBundler(at.operations.bundlerFor(chainId), chainId, observers)
    const { wallet, owner } = await at.createWallet()
    const { operation, operationHash } = await at.build(wallet)
    const signatures = await owner.sign({ hash: operationHash })
    const signature = encodeSignature({ validAfter: 0, validUntil: 0, signatures })
    return { bundler, signed: { ...operation, signature } }
  }

  test('behavior: the gas of a simulation is charged, and a failing one costs as much as it may use', async () => {
    const { bundler, signed } = await signOne()
    const request = { operation: signed }
    const { callGasLimit, verificationGasLimit } = await bundler.estimate(request)
    const succeeded = await recordCosts(() => bundler.estimate(request))
    expect(succeeded.gas).toBe(callGasLimit + verificationGasLimit)
    const wrong = { operation: { ...request.operation, nonce: signed.nonce + 1n } }
    const failed = await recordCosts(() => expect(bundler.estimate(wrong)).rejects.toThrow())
    expect(failed.gas).toBeGreaterThan(10n * succeeded.gas)
  })

  test.each(['deliver', 'check'] as const)('behavior: %s hears who sent the operation', async (method) => {
    const { bundler, signed } = await signOne()
    const sentBy = `address:${method}`
    for (let count = 0; count < losses; count++) {
      await at.database
        .insertInto('relayer_losses')
        .values({
          ...{
            txn_hash: `${method} ${count}`,
            user_op_hash: `${method} ${count}`,
            network: at.network.chainId,
          },
          ...{ account: 'another account', sent_by: sentBy, reason: 'reverted' },
          // Before the account existed: it answers for its caller's losses.
          ...{ wei: 1n, owed: 1n, lost_at: new Date(Date.now() - 60_000), repaid_by: null },
        })
        .execute()
    }
    await expect(bundler[method]?.(signed, sentBy)).rejects.toMatchObject({ code: 'GAS_OWED' })
    await expect(bundler[method]?.(signed, 'address:another')).resolves.toBeUndefined()
  })
})
