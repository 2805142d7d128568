import { parseEther } from 'viem'
import { expect, test } from 'vitest'
import { type Facts, findConcerns, findWell } from './find-concerns.ts'
import type { RelayerView } from './read-relayers.ts'

const now = new Date('2026-11-30T12:00:00Z')
const relayer: RelayerView = {
  ...{ network: 10, address: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266', symbol: 'ETH', active: true },
  ...{ balance: String(parseEther('1')), lasts: null, inFlight: 0, oldestAt: null, maxFeePerGas: null },
  ...{ spent: '0', earned: '0' },
}
const calm: Facts = {
  ...{ now, networkNames: new Map([[10, 'Optimism']]), dead: [], relayers: [relayer], waiting: [] },
  health: { database: 'up', networks: [{ network: 10, status: 'up' }] },
  ...{ failingWebhooks: 0, deliveringWebhooks: 2, disabledWebhooks: 0, suspensions: 0 },
  ...{ exposure: [], lostGas: [] },
}

test('default: what is well is said, and nothing else', () => {
  expect(findConcerns(calm)).toEqual([])
  expect(findWell(calm)).toEqual([
    ...['1 network answers', '1 relayer has enough', '2 webhooks deliver', 'The database answers'],
    'Nothing waits for long',
  ])
})

test('behavior: a relayer that ends within a day is named with its cause and its remedy', () => {
  const poor = {
    ...relayer,
    ...{ balance: String(parseEther('0.012')), lasts: 21_600, spent: String(parseEther('0.048')) },
  }
  const facts = { ...calm, relayers: [poor] }
  expect(findConcerns(facts)).toMatchObject([
    {
      level: 'warning',
      title: 'A relayer on Optimism runs out of ETH within a day',
      text: expect.stringMatching(/^It has 0.012 ETH and lost 0.048 .* Send ETH to 0xf39F/),
    },
  ])
  expect(findWell(facts)).not.toContainEqual(expect.stringContaining('relayer'))
})

test('behavior: what waits leads to its rows, and says since when', () => {
  const oldestAt = new Date('2026-11-30T11:50:00Z')
  const facts = { ...calm, waiting: [{ network: 10, count: 2, oldestAt }] }
  expect(findConcerns(facts)).toMatchObject([
    { since: oldestAt.toISOString(), link: { to: '/operations?state=waiting&network=10' } },
  ])
  expect(findWell(facts)).not.toContain('Nothing waits for long')
})

test('behavior: gas is said in coins', () => {
  const facts = { ...calm, lostGas: [{ network: 10, wei: 1_500_000_000_000_000n, symbol: 'ETH' }] }
  expect(findConcerns(facts)[0]?.text).toBe('Reverted bundles cost 0.0015 ETH in the last day.')
})
