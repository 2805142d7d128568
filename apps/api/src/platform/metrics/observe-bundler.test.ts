import { encodeSignature } from '@lanyard/accounts'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Operations, startOperations } from '../../../test/operation-fixture.ts'
import { recordCosts } from '../../../test/record-costs.ts'
import { noTracing } from '../tracing/tracing.ts'
import { createMetrics } from './metrics.ts'
import { observeBundler } from './observe-bundler.ts'

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
    const { operation, safeOperationHash } = await at.build(wallet)
    const signatures = await owner.sign({ hash: safeOperationHash })
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
          ...{ wei: 1n, owed: 1n, lost_at: new Date(), repaid_by: null },
        })
        .execute()
    }
    await expect(bundler[method]?.(signed, sentBy)).rejects.toMatchObject({ code: 'GAS_OWED' })
    await expect(bundler[method]?.(signed, 'address:another')).resolves.toBeUndefined()
  })
})
