// @vitest-environment happy-dom
import { smartBalanceAbi } from '@lanyard/onchain'
import { screen } from '@testing-library/react'
import { Route, Routes } from 'react-router'
import { encodeFunctionData, erc20Abi } from 'viem'
import { describe, expect, test } from 'vitest'
import { ServiceFailure } from '../../../test/fake-service.ts'
import {
  account,
  expectNoBarriers,
  friend,
  networks,
  renderWallet,
  usdcToken,
  withFakeService,
} from '../../../test/render-wallet.tsx'
import { rememberRecipient } from '../../recipients/known-recipients.ts'
import type { Order } from '../../smart-balance/order-legs.ts'
import { OrderScreen } from './order-screen.tsx'

const { service } = withFakeService()
const orderId = `0x${'0d'.repeat(32)}` as const
const txnHash = `0x${'ab'.repeat(32)}` as const

const settled: Order = {
  orderId,
  state: 'SETTLED',
  outputNetwork: 2,
  amount: '150000000',
  fee: '250000',
  total: '150250000',
  txnHash,
  expiresAt: '2026-01-01T00:10:00.000Z',
  debits: [
    { network: 1, amount: '100000000', state: 'SETTLED', txnHash },
    { network: 2, amount: '50250000', state: 'SETTLED', txnHash },
  ],
}

/** The networks as the service lists them. */
const listed = networks.map(({ chainId, name }) => ({
  network: chainId,
  name,
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  settlementToken: { symbol: 'USDC', decimals: 6, address: usdcToken },
  smartBalance: friend,
}))

const open = (path = `/orders/${orderId}`) =>
  renderWallet(
    <Routes>
      <Route path="/orders/:orderId" element={<OrderScreen />} />
      <Route path="/activity" element={<p>The activity</p>} />
    </Routes>,
    { path },
  )
const steps = () => screen.getAllByRole('listitem').map(({ textContent }) => textContent)

describe('OrderScreen', () => {
  test('default: shows every step of a settled payment, its fee, and the debited amounts', async () => {
    service().answers['smartBalance.order'] = () => settled
    const { container } = open()
    await screen.findByRole('heading', { name: '150 USDC on Net 2' })
    expect(screen.getByRole('status').textContent).toBe('Settled')
    const short = `${txnHash.slice(0, 10)}…${txnHash.slice(-8)}`
    expect(steps()).toEqual([
      `Arrived · Net 2${short}`,
      'Confirmed',
      `Collected · Net 1100 USDC${short}`,
      `Collected · Net 250.25 USDC${short}`,
    ])
    screen.getByText('0.25 USDC')
    screen.getByText('150.25 USDC')
    expect(screen.queryByText('Expires')).toBeNull()
    expect(service().requested.find(({ procedure }) => procedure === 'smartBalance.order')?.input).toEqual({
      orderId,
    })
    await expectNoBarriers(container)
  })

  test('behavior: names who it was paid to', async () => {
    const call = (targetContractAddress: string, encodedData: string) => ({
      ...{ targetContractAddress, encodedData, value: '0' },
    })
    service().answers['smartBalance.order'] = () => settled
    service().answers['wallet.activity'] = () => ({
      activity: [
        {
          ...{ userOpHash: txnHash, network: '2', state: 'included', final: true, success: true, txnHash },
          ...{ signedAt: '2026-01-01T00:00:00.000Z', sender: account },
          calls: [
            call(
              networks[1]?.smartBalance?.address ?? '',
              encodeFunctionData({ abi: smartBalanceAbi, functionName: 'claim', args: [7n] }),
            ),
            call(
              usdcToken,
              encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [friend, 150_000_000n] }),
            ),
          ],
        },
      ],
    })
    rememberRecipient(account, { address: friend, contact: 'Ben' })
    open()
    await screen.findByText('Ben')
  })

  test('behavior: follows a payment from its submission until it is settled', async () => {
    let order: Order = {
      ...settled,
      state: 'SUBMITTED',
      txnHash: undefined,
      debits: settled.debits.map(({ network, amount }) => ({ network, amount, state: 'RESERVED' })),
    }
    service().answers['smartBalance.order'] = () => order
    const { container } = open()
    await screen.findByText('Signed and sent. You can leave this page.')
    screen.getByText('Expires')
    await expectNoBarriers(container)
    order = { ...order, state: 'ATTESTED', txnHash, debits: [] }
    order = { ...order, debits: settled.debits.map((debit, at) => (at ? { ...debit, state: 'DUE' } : debit)) }
    await screen.findByText('It has arrived. You do not need to do anything else.')
    expect(screen.getByRole('list', { name: 'Steps' }).querySelectorAll('[aria-current=step]')).toHaveLength(
      1,
    )
    order = settled
    await screen.findByText('It has arrived and is settled.')
    await expectNoBarriers(container)
  })

  test.each<[Order['state'], string, string]>([
    ['RESERVED', 'Not signed', 'Not signed yet, or your signature has not reached the service.'],
    ['FAILED', 'Failed', 'The payment failed on its network and was reversed.'],
    ['EXPIRED', 'Expired', 'It was not sent in time. Nothing moved. You can send it again.'],
  ])('behavior: %s', async (state, label, note) => {
    service().answers['smartBalance.order'] = () => ({
      ...settled,
      state,
      debits: settled.debits.map((debit) => ({ ...debit, state: 'RELEASED' })),
    })
    const { container } = open()
    await screen.findByText(new RegExp(`^${note}`))
    expect(screen.getByRole('status').textContent).toBe(label)
    await expectNoBarriers(container)
  })

  test('error: offers to retry if the service does not know the payment', async () => {
    service().answers['smartBalance.order'] = () => {
      throw new ServiceFailure('NOT_FOUND')
    }
    const { user, container } = open()
    await screen.findByRole('alert')
    await expectNoBarriers(container)
    service().answers['smartBalance.order'] = () => settled
    service().answers['system.networks'] = () => ({ networks: listed })
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    await screen.findByRole('heading', { name: '150 USDC on Net 2' })
  })

  test.each(['nothing', '0x12'])(
    'error: the address %s, which no payment has, leads to all payments',
    async (id) => {
      open(`/orders/${id}`)
      await screen.findByText('The activity')
      expect(service().requested.map(({ procedure }) => procedure)).not.toContain('smartBalance.order')
    },
  )
})
