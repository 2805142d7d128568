// @vitest-environment happy-dom
import { smartBalanceAbi } from '@lanyard/onchain'
import { screen, within } from '@testing-library/react'
import { type Address, encodeFunctionData, erc20Abi } from 'viem'
import { expect, test } from 'vitest'
import {
  account,
  expectNoBarriers,
  friend,
  networks,
  renderWallet,
  usdcToken,
  withFakeService,
} from '../../../test/render-wallet.tsx'
import { rememberRequester } from '../../connections/requesters.ts'
import type { Activity } from '../../operation/use-activity.ts'
import { readRecipients, rememberRecipient } from '../../recipients/known-recipients.ts'
import { trackedOperations } from '../../sign-in/tracked-operations.ts'
import { ActivityDays } from './activity-days.tsx'
import { toTimeline } from './timeline.ts'
import { TimelineList } from './timeline-list.tsx'

const { service } = withFakeService()
const userOpHash = `0x${'ab'.repeat(32)}` as const
const txnHash = `0x${'cd'.repeat(32)}` as const
const shop = '0x90F79bf6EB2c4f870365E785982E1f101E93b906'
const signedAt = '2026-01-02T03:04:05.000Z'

type Calls = Activity['calls']
const pay = (to: Address, value: bigint): Calls[number] => ({
  targetContractAddress: to,
  value: String(value),
  encodedData: '0x',
})
const call = (targetContractAddress: Address, encodedData: `0x${string}`): Calls[number] => ({
  targetContractAddress,
  value: '0',
  encodedData,
})
const transfer = (to: Address, amount: bigint) =>
  call(usdcToken, encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, amount] }))
const claim = call(
  networks[0]?.smartBalance?.address ?? account,
  encodeFunctionData({ abi: smartBalanceAbi, functionName: 'claim', args: [7n] }),
)

const included = {
  state: 'included',
  success: true,
  txnHash,
  includedAt: '2026-01-02T03:04:09.000Z',
} as const

/** Renders one operation, by default a payment of 0.5 ETH. */
function renderOperation(
  ended: Partial<Activity>,
  calls: Calls = [pay(friend, 5n * 10n ** 17n)],
  known = networks,
) {
  const entries = toTimeline({
    ...{ account, networks: known, protection: [], received: [], balances: [], early: [], hasOlder: false },
    operations: [
      {
        ...{ userOpHash, network: '1', final: true, signedAt, sender: account, calls },
        ...ended,
      } as Activity,
    ],
  })
  return renderWallet(<ActivityDays entries={entries} heading="h2" />)
}

async function open({ user }: ReturnType<typeof renderOperation>) {
  await user.click(screen.getByRole('button', { name: /^Sen[dt] / }))
  return within(await screen.findByRole('dialog', { name: 'Receipt' }))
}
type Receipt = Awaited<ReturnType<typeof open>>
const factOf = (receipt: Receipt, term: string) => receipt.getByText(term).nextElementSibling?.textContent
const progressOf = (receipt: Receipt) =>
  within(receipt.getByRole('list', { name: 'Progress' }))
    .getAllByRole('listitem')
    .map(({ firstElementChild }) => firstElementChild?.nextElementSibling?.textContent)

const order = {
  ...{ orderId: `0x${'0d'.repeat(32)}`, state: 'SETTLED', outputNetwork: 1, userOpHash, txnHash },
  ...{ amount: '120000000', fee: '52302', total: '120052302', createdAt: signedAt, expiresAt: signedAt },
  debits: [{ network: 2, amount: '50000000', state: 'SETTLED', txnHash }],
}

test('default: a payment by the account says who got it, what it cost, and how to do it again', async () => {
  const rendered = renderOperation({ ...included, gasCost: '1000000000000000' })
  const receipt = await open(rendered)
  expect(progressOf(receipt)).toEqual(['You signed', 'Paid'])
  expect(factOf(receipt, 'Fee')).toBe('0.001 ETH')
  expect(factOf(receipt, 'To')).toBe(friend)
  expect(factOf(receipt, 'Transaction')).toMatch(/^0xcdcd/)
  expect(receipt.getByRole('link', { name: 'Send again' }).getAttribute('href')).toBe(`/send?to=${friend}`)
  receipt.getByRole('button', { name: 'Print' })
  await rendered.user.click(receipt.getByRole('button', { name: 'Save as contact' }))
  await rendered.user.type(receipt.getByLabelText('Name of the contact'), 'Ben{Enter}')
  expect(readRecipients(account)).toMatchObject([{ address: friend, contact: 'Ben' }])
  await expectNoBarriers(rendered.container)
})

test('behavior: a combined payment names each recipient, each network that paid, and the fee in USDC', async () => {
  service().answers['smartBalance.orders'] = () => ({ orders: [order] })
  rememberRecipient(account, { address: friend, contact: 'Ben' })
  const paid = [claim, transfer(friend, 100_000_000n), transfer(shop, 20_000_000n)]
  // The operator's paymaster pays the gas, which is no fee of this account.
  const rendered = renderOperation({ ...included, gasCost: '7000000000000000', paymaster: shop }, paid)
  screen.getByText('Ben and 1 more')
  const receipt = await open(rendered)
  expect(await receipt.findByText('0.052302 USDC')).toBeDefined()
  expect(factOf(receipt, 'Fee')).toMatch(/^0\.052302 USDC/)
  expect(factOf(receipt, 'Paid from')).toBe('Combined balance120.052302 USDC in all, from Net 1 and Net 2')
  expect(factOf(receipt, 'To')).toBe(`Ben${friend}100 USDC`)
  receipt.getByText('20 USDC')
  receipt.getByText('Collected · Net 2')
  expect(rendered.container.textContent).not.toContain('0.007')
  expect(service().requested.find(({ procedure }) => procedure === 'smartBalance.orders')?.input).toEqual({
    walletAddress: account,
    before: '2026-01-02T03:05:05.000Z',
  })
  await expectNoBarriers(rendered.container)
})

test.each([
  ['1234567890123456', '0.001235 ETH'],
  ['280000000000', 'less than 0.000001 ETH'],
])('behavior: a fee of %s wei is shown as %s', async (gasCost, text) => {
  const receipt = await open(renderOperation({ ...included, gasCost }))
  expect(factOf(receipt, 'Fee')).toBe(text)
})

test('behavior: gas that somebody else pays is no fee', async () => {
  const receipt = await open(renderOperation({ ...included, gasCost: '1000000000000000', paymaster: shop }))
  expect(factOf(receipt, 'Fee')).toBe('NonePaid for you')
  expect(receipt.queryByText(/0\.001/)).toBeNull()
})

test('behavior: what failed says why, and costs its network fee', async () => {
  const reason = { code: 'EXECUTION_REVERTED', message: 'Paused()' }
  const rendered = renderOperation({ ...included, success: false, reason, gasCost: '1000000000000000' })
  const receipt = await open(rendered)
  expect(progressOf(receipt)).toEqual(['You signed', 'Not paid: The contract says: Paused().'])
  expect(factOf(receipt, 'Fee')).toBe('0.001 ETH')
})

test('behavior: a combined payment that failed costs at most its fee, and one that expired costs nothing', async () => {
  const paid = [claim, transfer(friend, 120_000_000n)]
  service().answers['smartBalance.orders'] = () => ({ orders: [{ ...order, state: 'FAILED' }] })
  const failed = renderOperation({ ...included, success: false }, paid)
  await (await open(failed)).findByText('At most 0.052302 USDC')
  failed.unmount()
  service().answers['smartBalance.orders'] = () => ({ orders: [{ ...order, state: 'EXPIRED' }] })
  const receipt = await open(renderOperation({ state: 'expired' }, paid))
  await receipt.findByText('Expired; nothing moved · Net 1')
  expect(receipt.queryByText('Fee')).toBeNull()
})

test('behavior: a payment that is under way shows the most that it can cost, and then what it did', async () => {
  const replaceable = { chainId: 1, nonce: '0', maxFee: '1500000000000000', calls: [] }
  trackedOperations.add({ userOpHash, summary: '', signedAt: Date.parse(signedAt), replaceable })
  const pending = renderOperation({ state: 'submitted', final: false })
  const receipt = await open(pending)
  expect(progressOf(receipt)).toEqual(['You signed', 'Paying…', 'Paid'])
  expect(factOf(receipt, 'Fee')).toBe('At most 0.0015 ETH')
  await expectNoBarriers(pending.container)
})

test('behavior: the details name the owner that signed and the page that asked', async () => {
  rememberRequester(account, userOpHash, 'https://shop.example')
  rememberRecipient(account, { address: shop, contact: 'Spare phone' })
  service().answers['smartAccount.status'] = () => ({
    ...{ userOpHash, state: 'included', final: true, signer: shop },
    history: [{ state: 'signed', at: signedAt }],
  })
  const rendered = renderOperation(included)
  const receipt = await open(rendered)
  await rendered.user.click(receipt.getByText('Details'))
  await receipt.findByText('Signed by')
  expect(factOf(receipt, 'Signed by')).toMatch(/^Spare phone0x/)
  expect(factOf(receipt, 'Requested by')).toBe('https://shop.example')
  await expectNoBarriers(rendered.container)
})

test('behavior: who has nothing is offered to receive, and who has something to send', async () => {
  service().answers['wallet.activity'] = () => ({ activity: [] })
  service().answers['wallet.transfers'] = () => ({ networks: [] })
  const { queryClient, container } = renderWallet(<TimelineList filter="all" />)
  await screen.findByRole('link', { name: 'Send' })
  const [key] = queryClient.getQueryCache().findAll({ queryKey: ['balances'] })
  queryClient.setQueryData(key?.queryKey ?? [], [
    { chainId: 1, available: true, deployed: false, native: 0n, tokens: [] },
  ])
  expect((await screen.findByRole('link', { name: 'Receive' })).getAttribute('href')).toBe('/receive')
  await expectNoBarriers(container)
})
