// @vitest-environment happy-dom
import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import {
  account,
  expectNoBarriers,
  friend,
  networks,
  renderWallet,
  withFakeService,
} from '../../../test/render-wallet.tsx'
import { rememberRequester } from '../../connections/requesters.ts'
import { OperationRow } from './operation-row.tsx'
import { toTimeline } from './timeline.ts'
import { TimelineList } from './timeline-list.tsx'

const { service } = withFakeService()
const userOpHash = `0x${'ab'.repeat(32)}` as const

/** A row for a payment of 0.5 ETH. */
function rowOf(ended: object, names: ReadonlyMap<string, string> = new Map()) {
  const [network] = networks
  const operation = {
    userOpHash,
    network: String(network?.chainId),
    final: true,
    signedAt: '2026-01-02T03:04:05.000Z',
    sender: friend,
    calls: [{ targetContractAddress: friend, value: String(5n * 10n ** 17n), encodedData: '0x' }],
    ...ended,
  } as never // only what the row reads
  const [entry] = toTimeline({
    account: friend,
    networks,
    operations: [operation],
    protection: [],
    received: [],
    balances: [],
    early: [],
    hasOlder: false,
  })
  if (entry?.kind !== 'operation') throw new TypeError('it is an operation')
  return (
    <ul>
      <OperationRow entry={entry} names={names} />
    </ul>
  )
}

test('default: the details of what was done say that it was done', async () => {
  const { user, container } = renderWallet(rowOf({ state: 'included', success: true }))
  await user.click(screen.getByText('Details'))
  await screen.findByText('Sent')
  expect(screen.queryByText('Send')).toBeNull()
  await expectNoBarriers(container)
})

test('behavior: the details name the owner that signed, the page that asked, and the fee', async () => {
  rememberRequester(account, userOpHash, 'https://shop.example')
  service().answers['smartAccount.status'] = () => ({
    userOpHash,
    state: 'included',
    final: true,
    signer: friend,
    history: [{ state: 'signed', at: '2026-01-02T03:04:05.000Z' }],
  })
  const names = new Map([[friend.toLowerCase(), 'Spare phone']])
  const { user } = renderWallet(
    rowOf({ state: 'included', success: true, gasCost: '1000000000000000' }, names),
  )
  await user.click(screen.getByText('Details'))
  const factOf = (term: string) => screen.getByText(term).nextElementSibling?.textContent
  await screen.findByText('Signed by')
  expect(factOf('Signed by')).toMatch(/^Spare phone0x/)
  expect(factOf('Requested by')).toBe('https://shop.example')
  expect(factOf('Network fee')).toBe('0.001 ETH')
})

test('behavior: gas that a paymaster paid is no fee of this account', async () => {
  const paid = { state: 'included', success: true, gasCost: '1000000000000000', paymaster: account }
  const { user, container } = renderWallet(rowOf(paid))
  await user.click(screen.getByText('Details'))
  expect((await screen.findByText('Network fee')).nextElementSibling?.textContent).toBe('Paid for you')
  expect(container.textContent).not.toContain('0.001')
})

test('behavior: what failed was not done, and says why in words', async () => {
  const reason = { code: 'EXECUTION_REVERTED', message: 'Paused()' }
  const { user } = renderWallet(rowOf({ state: 'included', success: false, reason }))
  screen.getByText('The contract says: Paused().')
  await user.click(screen.getByText('Details'))
  await screen.findByText('Send')
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
