import { describeEachEngine } from '@lanyard/database/testing'
import { parseGwei } from 'viem'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Fixture, type FixtureAccount, nothing, startFixture } from '../../test/fixture.ts'
import type { Bundler } from '../index.ts'

describeEachEngine('deliver', (engine) => {
  let fixture: Fixture
  let bundler: Bundler
  let account: FixtureAccount
  beforeAll(async () => {
    fixture = await startFixture(engine)
    bundler = fixture.bundler()
  })
  afterAll(() => fixture[Symbol.asyncDispose]())
  beforeEach(async () => {
    account = await fixture.account()
  })

  const deployedAccount = async () => {
    const deployed = await fixture.account()
    await fixture.submit(bundler, await fixture.build(bundler, deployed, [nothing]))
    await bundler.drive()
    await fixture.noticeInclusion()
    return deployed
  }

  test('default', async () => {
    const operation = await fixture.build(bundler, account, [nothing])
    await expect(bundler.deliver(operation)).resolves.toBeUndefined()
  })

  test('behavior: accepts the same operation again', async () => {
    const operation = await fixture.build(bundler, account, [nothing])
    await fixture.submit(bundler, operation)
    await bundler.deliver(operation)
  })

  test('behavior: accepts an operation that is already on chain', async () => {
    const operation = await fixture.build(bundler, account, [nothing])
    const hash = await fixture.submit(bundler, operation)
    await bundler.drive()
    await bundler.deliver(operation)
    await expect.poll(() => fixture.events(hash)).toHaveLength(1)
  })

  test('error: REBUILD if the account has been deployed in the meantime', async () => {
    const first = await fixture.build(bundler, account, [nothing])
    const second = await fixture.build(bundler, account, [nothing], { nonceKey: 1n })
    await fixture.submit(bundler, first)
    await bundler.drive()
    await expect(bundler.deliver(second)).rejects.toMatchObject({
      code: 'REBUILD',
      details: { entryPointCode: 'AA10' },
    })
  })

  test('error: INSUFFICIENT_FUNDS with the required, available and missing amounts', async () => {
    const operation = await fixture.build(bundler, account, [nothing])
    await fixture.chain.setBalance({ address: account.address, value: 5n })
    const required =
      (operation.preVerificationGas + operation.verificationGasLimit + operation.callGasLimit) *
      operation.maxFeePerGas
    await expect(bundler.deliver(operation)).rejects.toMatchObject({
      code: 'INSUFFICIENT_FUNDS',
      details: { required: `${required}`, available: '5', missing: `${required - 5n}` },
    })
  })

  test('error: REBUILD if the operation has expired', async () => {
    const operation = await fixture.build(bundler, account, [nothing], { validUntil: 1_000_000 })
    await expect(bundler.deliver(operation)).rejects.toMatchObject({
      code: 'REBUILD',
      details: { entryPointCode: 'AA22' },
    })
  })

  test("error: OPERATION_REFUSED with the account's reason", async () => {
    const operation = await fixture.build(bundler, account, [nothing], { verificationGasLimit: 50_000n })
    await expect(bundler.deliver(operation)).rejects.toMatchObject({ code: 'OPERATION_REFUSED' })
    const deployed = await deployedAccount()
    const wrongSelector = {
      ...(await fixture.build(bundler, deployed, [nothing])),
      callData: '0x12345678' as const,
    }
    await expect(bundler.deliver(wrongSelector)).rejects.toMatchObject({
      code: 'OPERATION_REFUSED',
      message: expect.stringContaining('UnsupportedExecutionFunction'),
      details: { entryPointCode: 'AA23', reason: 'AA23 reverted' },
    })
  })

  test('error: INVALID_SIGNATURE', async () => {
    const operation = await fixture.build(bundler, account, [nothing])
    const promise = bundler.deliver({ ...operation, callGasLimit: operation.callGasLimit + 1n })
    await expect(promise).rejects.toMatchObject({
      code: 'INVALID_SIGNATURE',
      details: { entryPointCode: 'AA24' },
    })
  })

  test('error: REBUILD if another operation has used the nonce', async () => {
    const deployed = await deployedAccount()
    const first = await fixture.build(bundler, deployed, [nothing])
    const second = await fixture.build(bundler, deployed, [{ ...nothing, value: 1n }])
    await fixture.submit(bundler, first)
    await bundler.drive()
    await fixture.noticeInclusion()
    await expect(bundler.deliver(second)).rejects.toMatchObject({
      code: 'REBUILD',
      details: { entryPointCode: 'AA25' },
    })
  })

  test('error: PAYMASTER_REFUSED', async () => {
    const operation = await fixture.build(bundler, account, [nothing])
    const paymasterAndData = `0x${'11'.repeat(20)}${'00'.repeat(32)}` as const
    const preVerificationGas = operation.preVerificationGas + 5_000n
    await expect(
      bundler.deliver({ ...operation, preVerificationGas, paymasterAndData }),
    ).rejects.toMatchObject({
      code: 'PAYMASTER_REFUSED',
      details: { entryPointCode: 'AA31' },
    })
  })

  test('error: OPERATION_REFUSED with more gas for validation than its kind of signature gets', async () => {
    const verificationGasLimit = 1_400_001n // with its deployment
    const operation = await fixture.build(bundler, account, [nothing], { verificationGasLimit })
    await expect(bundler.deliver(operation)).rejects.toMatchObject({
      code: 'OPERATION_REFUSED',
      details: { reason: 'verificationGasLimit is too high', maxGas: '1400000' },
    })
  })

  test('error: FEE_TOO_LOW if the fee is below the base fee', async () => {
    const operation = await fixture.build(bundler, account, [nothing], {
      maxFeePerGas: 2n,
      maxPriorityFeePerGas: 1n,
    })
    await expect(bundler.deliver(operation)).rejects.toMatchObject({
      code: 'FEE_TOO_LOW',
      details: { baseFeePerGas: expect.stringMatching(/^\d+$/) },
    })
  })

  test("error: FEE_TOO_LOW if preVerificationGas does not cover the relayer's cost", async () => {
    const operation = await fixture.build(bundler, account, [nothing])
    const promise = bundler.deliver({ ...operation, preVerificationGas: 30_000n })
    await expect(promise).rejects.toMatchObject({
      code: 'FEE_TOO_LOW',
      details: { requiredPreVerificationGas: expect.stringMatching(/^\d+$/) },
    })
  })

  test('error: OPERATION_REFUSED if it competes for a nonce without paying 10 % more', async () => {
    const operation = await fixture.build(bundler, account, [nothing], {
      maxFeePerGas: parseGwei('10'),
      maxPriorityFeePerGas: parseGwei('1'),
    })
    const hash = await fixture.submit(bundler, operation)
    const competitor = (maxFeePerGas: string, maxPriorityFeePerGas: string) =>
      fixture.build(bundler, account, [{ ...nothing, value: 1n }], {
        maxFeePerGas: parseGwei(maxFeePerGas),
        maxPriorityFeePerGas: parseGwei(maxPriorityFeePerGas),
      })
    await expect(bundler.deliver(await competitor('11', '1.09'))).rejects.toMatchObject({
      code: 'OPERATION_REFUSED',
      details: {
        userOpHash: hash,
        requiredMaxFeePerGas: '11000000000',
        requiredMaxPriorityFeePerGas: '1100000000',
      },
    })
    await expect(bundler.deliver(await competitor('11', '1.1'))).resolves.toBeUndefined()
  })
})
