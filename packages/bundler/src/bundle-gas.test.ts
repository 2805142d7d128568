import { usualEngine } from '@lanyard/database/testing'
import { type Fees, gasPriceOracle, l1FeeAt, nodeInterface } from '@lanyard/networks'
import { startRpcProxy } from '@lanyard/testing/fault-proxy'
import type { Hex } from 'viem'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Fixture, nothing, startFixture } from '../test/fixture.ts'
import { absurdCode, nodeInterfaceByteCode, oracleByteCode, revertingCode } from '../test/l1-fakes.ts'
import { requiredPreVerificationGas } from './bundle-gas.ts'
import { encodeHandleOps } from './entry-point/entry-point.ts'

const l1Fees = { 'op-stack': gasPriceOracle, arbitrum: nodeInterface } as const

/**
 * High enough that L1 data is most of an operation's cost, so that a few missing bytes are noticed. The unit
 * is gas, because the price of gas falls with each empty block, and the number of empty blocks depends on the
 * machine.
 */
const gasPerByte = { 'op-stack': 1_000n, arbitrum: 50n } as const

describe.each(['op-stack', 'arbitrum'] as const)('L1 data on %s', (kind) => {
  const resources = new AsyncDisposableStack()
  let fixture: Fixture
  let proxy: Awaited<ReturnType<typeof startRpcProxy>>
  beforeAll(async () => {
    fixture = resources.use(
      await startFixture(usualEngine(), {}, async (rpcUrl) => {
        proxy = resources.use(await startRpcProxy(rpcUrl))
        return { l1Fee: { kind }, rpcUrls: [proxy.url] }
      }),
    )
  })
  afterAll(() => resources.disposeAsync())

  let fees: Fees
  const place = (bytecode: Hex) => fixture.chain.setCode({ address: l1Fees[kind], bytecode })
  /** Sets the price of the data, in quarters of the usual price. */
  const price = (quarters: bigint) => {
    const gas = (gasPerByte[kind] * quarters) / 4n
    return place(
      kind === 'op-stack'
        ? oracleByteCode(gas * fees.maxFeePerGas)
        : nodeInterfaceByteCode(gas, fees.baseFeePerGas),
    )
  }
  beforeEach(async () => {
    fees = await fixture.network.fees()
    await price(4n)
  })

  /**
   * Builds with this bundler, sends, and returns the relayer's revenue beyond the cost of the chain's own
   * gas.
   */
  async function include(account: Awaited<ReturnType<Fixture['account']>>) {
    const bundler = fixture.bundler()
    const operation = await fixture.build(bundler, account, [nothing])
    const hash = await fixture.submit(bundler, operation)
    await bundler.drive()
    await fixture.noticeInclusion()
    const [event] = await fixture.events(hash)
    const receipt = await fixture.chain.getTransactionReceipt({ hash: event?.transactionHash ?? '0x' })
    const transaction = await fixture.chain.getTransaction({ hash: receipt.transactionHash })
    const fee = await fixture.network.l1Fee({ to: fixture.bundler().entryPoint, data: transaction.input })
    const income = (event?.args.actualGasCost ?? 0n) - receipt.gasUsed * receipt.effectiveGasPrice
    const charged = l1FeeAt(fixture.network.config, fee, receipt.gasUsed)
    return { success: event?.args.success, fee, charged, income, transaction, operation }
  }

  test('behavior: the relayer is paid at least the cost of the data, and at most twice that', async () => {
    const account = await fixture.account()
    for (const _ of ['deploying', 'deployed']) {
      const { success, fee, income, transaction } = await include(account)
      expect(success).toBe(true)
      const l1Cost = kind === 'op-stack' ? fee.wei : fee.gas * (transaction.maxFeePerGas ?? 0n)
      expect(fee.wei).toBeGreaterThan(0n)
      console.log(kind, { data: transaction.input.length / 2, l1Fee: fee.wei, income })
      expect(income).toBeGreaterThanOrEqual(fee.wei)
      expect(income).toBeLessThan(2n * l1Cost + 10n ** 14n)
    }
  })

  test('behavior: the relayer is also paid the operator fee, without another round trip', async ({
    skip,
  }) => {
    skip(kind !== 'op-stack', 'only the OP Stack has an operator fee')
    // As much as the gas itself costs, and as much as 100,000 gas.
    const constant = 100_000n * fees.maxFeePerGas
    const perMillionGas = 1_000_000n * fees.maxFeePerGas
    await place(oracleByteCode(fees.maxFeePerGas, { constant, perMillionGas }))
    const account = await fixture.account()
    for (const _ of ['deploying', 'deployed']) {
      const { success, fee, charged, income } = await include(account)
      expect(success).toBe(true)
      expect(fee.operatorFee).toEqual({ constant, perMillionGas })
      expect(charged).toBeGreaterThan(fee.wei + constant)
      expect(income).toBeGreaterThanOrEqual(charged)
    }
    const operation = await fixture.draft(account, [nothing])
    await fixture.network.fees()
    proxy.take()
    await fixture.bundler().estimate({ operation })
    expect(proxy.take().trips).toBe(1)
  })

  test('error: NETWORK_FAILED if the operator fee is absurd', async ({ skip }) => {
    skip(kind !== 'op-stack', 'only the OP Stack has an operator fee')
    const operation = await fixture.draft(await fixture.account(), [nothing])
    await place(oracleByteCode(1n, { constant: 0n, perMillionGas: 10n ** 18n }))
    await expect(fixture.bundler().estimate({ operation })).rejects.toMatchObject({
      code: 'NETWORK_FAILED',
      message: expect.stringContaining('is allowed (l1Fee.maximum)'),
    })
  })

  test('behavior: only a transaction that is charged in gas gets gas for its data', async () => {
    const account = await fixture.account()
    const { transaction, operation, fee } = await include(account)
    const l1Gas = operation.preVerificationGas - requiredPreVerificationGas(operation)
    // The limit includes 1/64 of itself twice, so the comparison has a margin.
    if (kind === 'arbitrum') expect(transaction.gas).toBeGreaterThan(l1Gas + fee.gas / 2n)
    else expect(l1Gas).toBeGreaterThan(transaction.gas)
  })

  test('behavior: the fee is read in the same round trip as the simulation', async () => {
    const account = await fixture.account()
    const operation = await fixture.draft(account, [nothing])
    const bundler = fixture.bundler()
    await bundler.estimate({ operation })
    await fixture.network.fees()
    proxy.take()
    await bundler.estimate({ operation })
    expect(proxy.take().trips).toBe(1)
  })

  test('error: FEE_TOO_LOW if the data fee has risen above the margin', async () => {
    const bundler = fixture.bundler()
    const operation = await fixture.build(bundler, await fixture.account(), [nothing])
    await price(8n)
    await expect(fixture.submit(bundler, operation)).rejects.toMatchObject({ code: 'FEE_TOO_LOW' })
  })

  test('behavior: a small rise is within the margin', async () => {
    const bundler = fixture.bundler()
    const operation = await fixture.build(bundler, await fixture.account(), [nothing])
    await price(5n)
    await expect(fixture.submit(bundler, operation)).resolves.toMatch(/^0x/)
  })

  test.each([
    ['absurd', absurdCode, 'is allowed (l1Fee.maximum)'],
    ['none', '0x', `there is no ${kind} contract here`],
    ['a revert', revertingCode, `there is no ${kind} contract here`],
  ] as const)('error: NETWORK_FAILED if the answer is %s', async (_, code, message) => {
    const operation = await fixture.draft(await fixture.account(), [nothing])
    await place(code)
    await expect(fixture.bundler().estimate({ operation })).rejects.toMatchObject({
      code: 'NETWORK_FAILED',
      message: expect.stringContaining(message),
    })
  })

  test('behavior: the stub data is as large as the real data', async () => {
    const account = await fixture.account()
    const draft = await fixture.draft(account, [nothing])
    const signed = await fixture.build(fixture.bundler(), account, [nothing])
    const bytes = (operation: typeof draft) => encodeHandleOps([operation], account.address).length
    expect(bytes(draft)).toBe(bytes(signed))
  })
})
