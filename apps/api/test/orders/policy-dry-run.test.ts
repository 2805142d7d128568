/** @module-tag all */

import { getAddress } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { writePolicies } from '../policies-file.ts'
import { type OrderService, payee, startOrderService } from './order-service.ts'

const chainId = 31337
const blocked = getAddress('0x00000000000000000000000000000000000000bb')
const transfer = (to: string) => ({ targetContractAddress: to, value: '0', encodedData: '0x' })

describe('POST /smart-account/transaction/sponsorship', () => {
  let service: OrderService
  beforeAll(async () => {
    const POLICIES_FILE = writePolicies(
      { id: 'partner', apiKeys: ['partner'], budgets: { day: { wei: '1' } } },
      { id: 'poor', calls: [{ contract: payee }], budgets: { operation: '1', day: { wei: '1' } } },
      { id: 'rich', budgets: { day: { wei: '1000000000000000000' } } },
      { id: 'blocked', effect: 'deny', calls: [{ contract: blocked }] },
    )
    service = await startOrderService({
      production: true,
      chainIds: [chainId],
      environment: { POLICIES_FILE },
    })
  })
  afterAll(() => service?.[Symbol.asyncDispose]())

  const ask = (walletAddress: string, ...to: string[]) =>
    service.rest.post('/smart-account/transaction/sponsorship', {
      network: String(chainId),
      walletAddress,
      transactionDetails: to.map(transfer),
    })
  const other = getAddress('0x00000000000000000000000000000000000000cc')

  test('default: the answer has the policy that would pay and the result of each other policy; nothing is reserved', async () => {
    const { address } = await service.createWallet()
    const { status, body } = await ask(address, other)
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        sponsored: true,
        policy: 'rich',
        cost: expect.stringMatching(/^[1-9]\d+$/),
        policies: [
          { policy: 'partner', result: 'does_not_match', reason: 'It is for other API keys.' },
          { policy: 'poor', result: 'does_not_match', reason: 'It is not for call 0.' },
          { policy: 'rich', result: 'pays' },
          { policy: 'blocked', result: 'does_not_match', reason: 'It is for other calls.' },
        ],
      },
    })
    expect(await service.database.db.selectFrom('sponsorships').selectAll().execute()).toEqual([])
    expect(await service.database.db.selectFrom('sponsorship_days').selectAll().execute()).toEqual([])
    const build = await service.build({
      network: String(chainId),
      walletAddress: address,
      transactionDetails: [transfer(other)],
      paymasterData: 'sponsored',
    })
    expect(build.status).toBe(200)
  })

  test('behavior: if the matching policy refuses, no later policy pays', async () => {
    const { address } = await service.createWallet()
    const { body } = await ask(address, payee)
    expect(body).toMatchObject({
      sponsored: false,
      policy: 'poor',
      reason: expect.stringContaining('pays at most 1'),
      policies: [
        {},
        { result: 'refuses' },
        { result: 'not_reached', reason: 'An earlier policy decides.' },
        { result: 'does_not_match' },
      ],
    })
  })

  test("behavior: a denied call in a passkey's batch denies the whole operation", async () => {
    const { address } = await service.createPasskeyUser()
    const { body } = await ask(address, other, blocked)
    expect(body).toEqual({
      sponsored: false,
      policy: 'blocked',
      reason: 'The policy blocked denies the operation.',
      policies: [
        expect.objectContaining({ result: 'does_not_match' }),
        expect.objectContaining({ result: 'does_not_match' }),
        { policy: 'rich', result: 'not_reached', reason: 'blocked denies the operation.' },
        { policy: 'blocked', result: 'denies' },
      ],
    })
  })

  test('behavior: builds count in the metrics of their policy, but dry runs do not', async () => {
    const { address } = await service.createWallet()
    await service.service.services.metrics.text() // what was counted before the first reading shows in the second
    const rejections = async () =>
      (await service.service.services.metrics.text())
        .split('\n')
        .filter((line) => line.startsWith('lanyard_policy_refusals_total{') && !line.endsWith(' 0'))
    const before = await rejections()
    await ask(address, payee)
    await ask(address, blocked)
    expect(await rejections()).toEqual(before)
    for (const to of [payee, blocked, other]) {
      await service.build({
        network: String(chainId),
        walletAddress: address,
        transactionDetails: [transfer(to)],
        paymasterData: 'sponsored',
      })
    }
    expect(await rejections()).toEqual([
      'lanyard_policy_refusals_total{policy="poor",reason="operation"} 1',
      'lanyard_policy_refusals_total{policy="blocked",reason="denied"} 1',
    ])
    const rows = await service.database.db.selectFrom('sponsorships').select(['policy', 'reserved']).execute()
    const reserved = rows.reduce((sum, row) => sum + row.reserved, 0n)
    expect(rows.every(({ policy }) => policy === 'rich')).toBe(true)
    expect(await service.service.services.metrics.text()).toContain(
      `lanyard_policy_gas_wei{policy="rich",network="${chainId}",state="promised"} ${reserved}`,
    )
  })
})
