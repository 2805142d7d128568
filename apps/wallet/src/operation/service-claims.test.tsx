// @vitest-environment happy-dom
import type { Call } from '@lanyard/accounts'
import { screen, waitFor, within } from '@testing-library/react'
import { encodeFunctionData, erc20Abi, maxUint256, parseEther } from 'viem'
import { expect, test } from 'vitest'
import { ServiceFailure } from '../../test/fake-service.ts'
import { proposeOperation } from '../../test/propose-operation.ts'
import {
  account,
  expectNoBarriers,
  friend,
  networks,
  renderWallet,
  usdcToken,
  withFakeService,
} from '../../test/render-wallet.tsx'
import { OperationFacts } from './operation-facts.tsx'
import { prepareOperation } from './prepare-operation.ts'

const { service } = withFakeService()
const exchange = '0x90F79bf6EB2c4f870365E785982E1f101E93b906'
const unknown = '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65'
const swap: Call = { to: exchange, value: parseEther('0.25'), data: '0x12345678' }
const payment: Call = { to: friend, value: parseEther('0.5'), data: '0x' }
const transfer: Call = {
  to: usdcToken,
  value: 0n,
  data: encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [friend, 5_000_000n] }),
}

async function renderFacts(calls: readonly Call[], answer: () => unknown) {
  const [network] = networks
  if (!network) throw new TypeError('there are networks')
  service().answers['webauthn.transactionOptions'] = proposeOperation(account)
  service().answers['smartAccount.simulate'] = answer
  const session = { username: 'alice', account, token: 'token' }
  const prepared = await prepareOperation(session, network, calls, AbortSignal.timeout(60_000))
  return renderWallet(<OperationFacts prepared={prepared} />)
}

const asked = () => service().requested.filter(({ procedure }) => procedure === 'smartAccount.simulate')
const claims = async () => within(await screen.findByRole('region', { name: 'Your service says' }))
const rowsOf = ({ getAllByRole }: Awaited<ReturnType<typeof claims>>) =>
  getAllByRole('definition').map((value) => `${value.previousSibling?.textContent}: ${value.textContent}`)

test('default: a call that this wallet cannot decode shows what the service says that it changes', async () => {
  const { container } = await renderFacts([swap], () => ({
    changes: [
      { kind: 'in', token: usdcToken, amount: '750000000' },
      { kind: 'in', token: unknown, amount: '5000' },
      { kind: 'in', token: unknown, id: '7', amount: '1' },
      { kind: 'out', amount: '250000000000000000' },
      { kind: 'approval', token: usdcToken, amount: String(maxUint256), spender: exchange },
      { kind: 'approval', token: unknown, spender: friend },
    ],
    omitted: 3,
  }))
  const shown = await claims()
  expect(rowsOf(shown)).toEqual([
    'You get: 750 USDC',
    'You get: 5000 units of the unknown token 0x15d3…6A65',
    'You get: NFT 7 of 0x15d3…6A65',
    'You give: 0.25 ETH',
    'May spend: any amount of USDC, by 0x90F7…b906',
    'May spend: everything in 0x15d3…6A65, by 0x7099…79C8',
  ])
  shown.getByText('This wallet can’t check it. It may be incomplete.')
  shown.getByText('and 3 more')
  expect(asked().map(({ input }) => input)).toEqual([
    {
      walletAddress: account,
      network: 1,
      transactionDetails: [
        { targetContractAddress: exchange, value: '250000000000000000', encodedData: '0x12345678' },
      ],
    },
  ])
  await expectNoBarriers(container)
})

test('behavior: a service cannot say anything about calls that this wallet decodes', async () => {
  await renderFacts([payment, transfer], () => ({ changes: [{ kind: 'in', token: usdcToken, amount: '1' }] }))
  screen.getByText('0.5')
  screen.getByText('5')
  expect(asked()).toEqual([])
  expect(screen.queryByText('Your service says')).toBeNull()
})

test('behavior: beside a call that it cannot decode, a transfer keeps its own text', async () => {
  await renderFacts([payment, swap], () => ({ changes: [] }))
  const shown = await claims()
  shown.getByText('Nothing that you have changes, apart from the fee.')
  expect(screen.getAllByText('Send')).toHaveLength(1)
  screen.getByText('0.5')
})

test.each([
  ['an empty answer', () => ({})],
  [
    'an error',
    () => {
      throw new ServiceFailure('EXECUTION_REVERTED')
    },
  ],
  [
    'a sentence in place of an id',
    () => ({ changes: [{ kind: 'in', token: unknown, id: 'safe', amount: '1' }] }),
  ],
  [
    'a sentence in place of an address',
    () => ({ changes: [{ kind: 'in', token: 'Sign now', amount: '1' }] }),
  ],
  ['a sentence in place of a number', () => ({ changes: [], omitted: 'Sign now' })],
  ['another kind', () => ({ changes: [{ kind: 'constructor', amount: '1' }] })],
  ['a spender of what moves', () => ({ changes: [{ kind: 'in', amount: '1', spender: friend }] })],
  ['one change that is no change', () => ({ changes: [{ kind: 'out', amount: '1' }, { kind: 'in' }] })],
  ['too many changes', () => ({ changes: Array.from({ length: 51 }, () => ({ kind: 'in', amount: '1' })) })],
  ['null', () => ({ changes: [null] })],
])('behavior: it shows nothing for %s', async (_, answer) => {
  const { queryClient } = await renderFacts([swap], answer)
  await waitFor(() => {
    expect(asked()).toHaveLength(1)
    expect(queryClient.isFetching()).toBe(0)
  })
  expect(screen.queryByText('Your service says')).toBeNull()
  screen.getByText('Recomputed on this device: your passkey signs this and nothing else.')
})
