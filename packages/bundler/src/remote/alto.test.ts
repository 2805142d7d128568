/** @module-tag all */

import { delegatedDeployment, encodeDesignator } from '@lanyard/accounts'
import { usualEngine } from '@lanyard/database/testing'
import { zeroAddress } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Fixture, nothing, startFixture } from '../../test/fixture.ts'
import { altoProgram, startAlto } from '../../test/start-alto.ts'
import type { Bundler } from '../index.ts'

describe.skipIf(altoProgram === undefined)('remote bundler: Alto', () => {
  const resources = new AsyncDisposableStack()
  let fixture: Fixture
  let bundler: Bundler
  beforeAll(async () => {
    fixture = resources.use(await startFixture(usualEngine(), {}, { accountKinds: ['safe', 'eip7702'] }))
    const entryPoints = [fixture.bundler().entryPoint, delegatedDeployment.entryPoint]
    const alto = resources.use(await startAlto(fixture.node, entryPoints.join()))
    bundler = fixture.remoteBundler(alto.url)
  })
  afterAll(() => resources.disposeAsync())

  const untilIncluded = async (hash: `0x${string}`) => {
    await expect.poll(() => fixture.events(hash)).toMatchObject([{ args: { success: true } }])
    await fixture.noticeInclusion()
  }

  test('default: deploys the account, and sends another operation', async () => {
    const account = await fixture.account()
    for (const _ of ['deploying', 'deployed']) {
      const operation = await fixture.build(bundler, account, [nothing])
      const hash = await fixture.submit(bundler, operation)
      await bundler.drive()
      await untilIncluded(hash)
      await bundler.deliver(operation) // already on chain
    }
  })

  test('behavior: delegates an EOA with its first operation, and sends another', async () => {
    const account = await fixture.delegatedAccount()
    for (const _ of ['delegating', 'delegated']) {
      const operation = await fixture.buildDelegated(bundler, account, [nothing])
      await untilIncluded(await fixture.submit(bundler, operation))
      await bundler.deliver(operation) // already on chain
    }
    const code = await fixture.chain.getCode({ address: account.address })
    expect(code).toBe(encodeDesignator(delegatedDeployment.delegate))
  })

  test('behavior: refuses an authorisation that is spent, and takes the next one', async () => {
    const account = await fixture.delegatedAccount()
    const operation = await fixture.buildDelegated(bundler, account, [nothing])
    await fixture.delegate(account, zeroAddress)
    await expect(bundler.deliver(operation)).rejects.toMatchObject({ code: 'OPERATION_REFUSED' })
    const next = await fixture.buildDelegated(bundler, account, [nothing])
    await untilIncluded(await fixture.submit(bundler, next))
  })

  test('behavior: accepts the same operation twice', async () => {
    const account = await fixture.account()
    const operation = await fixture.build(bundler, account, [nothing])
    await bundler.deliver(operation)
    await bundler.deliver(operation)
    await expect.poll(() => fixture.events(fixture.hashOf(operation))).toHaveLength(1)
  })

  test('behavior: estimates for an account without funds', async () => {
    const account = await fixture.account({ funded: false })
    const operation = await fixture.build(bundler, account, [nothing])
    await expect(bundler.deliver(operation)).rejects.toMatchObject({ code: 'INSUFFICIENT_FUNDS' })
  })

  test('behavior: handles a call that reverts', async () => {
    const account = await fixture.account()
    const operation = await fixture.draft(account, [{ ...nothing, value: 10n ** 30n }])
    const { execution } = await bundler.estimate({ operation })
    expect(execution.success).toBe(false)
  })

  test('error: INVALID_SIGNATURE', async () => {
    const operation = await fixture.build(bundler, await fixture.account(), [nothing])
    const promise = bundler.deliver({ ...operation, callGasLimit: operation.callGasLimit + 1n })
    await expect(promise).rejects.toMatchObject({ code: 'INVALID_SIGNATURE' })
  })

  test('error: REBUILD for a used nonce', async () => {
    const account = await fixture.account()
    const first = await fixture.build(bundler, account, [nothing])
    await bundler.deliver(first)
    await untilIncluded(fixture.hashOf(first))
    const second = await fixture.build(bundler, account, [nothing])
    await bundler.deliver(second)
    await untilIncluded(fixture.hashOf(second))
    const late = await fixture.sign(account, { ...second, callGasLimit: second.callGasLimit + 1n })
    await expect(bundler.deliver(late)).rejects.toMatchObject({ code: 'REBUILD' })
  })
})
