import { encodeFunctionData, erc20Abi, type Hex } from 'viem'
import { expect, test } from 'vitest'
import type { Network } from '../../networks/use-networks.ts'
import type { Activity } from '../../operation/use-activity.ts'
import { dayOf, rowView, stateText } from './row-view.ts'
import { toTimeline } from './timeline.ts'

const account = '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65'
const friend = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const token = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
const network: Network = {
  chainId: 1,
  name: 'One',
  explorerUrl: undefined,
  local: true,
  currencies: [
    { symbol: 'ETH', decimals: 18 },
    { symbol: 'USDC', decimals: 6, token },
  ],
  smartBalance: undefined,
  sessionKeys: undefined,
}
const payment = {
  targetContractAddress: token,
  value: '0',
  encodedData: encodeFunctionData({
    abi: erc20Abi,
    functionName: 'transfer',
    args: [friend, 25_000_000n],
  }),
} as const
/** A call that moves nothing. */
const other = { targetContractAddress: friend, value: '0', encodedData: '0x12345678' } as const

function viewOf(ended: Partial<Activity>, calls: Activity['calls']) {
  const operation = {
    userOpHash: `0x${'ab'.repeat(32)}` as Hex,
    network: '1',
    final: false,
    signedAt: '2026-11-28T14:32:00.000Z',
    sender: account,
    calls,
    ...ended,
  } as Activity
  const [entry] = toTimeline({
    ...{ account, networks: [network], operations: [operation], protection: [] },
    ...{ received: [], balances: [], early: [], hasOlder: false },
  } as const)
  if (!entry) throw new TypeError('there is one entry')
  const names = new Map([[friend.toLowerCase(), 'ben']])
  return rowView(entry, { account, networks: [network], names })
}

test('default: a payment names who got it, and how much left the account', () => {
  expect(viewOf({ state: 'included', success: true }, [payment])).toMatchObject({
    ...{ title: 'ben', mark: 'party', where: 'One', state: 'done' },
    amount: { text: '−25.00', symbol: 'USDC', direction: 'out' },
    sentence: 'Sent 25 USDC to ben (0x7099…79C8)',
  })
})

test('behavior: only a payment is paid', () => {
  const ends = [
    [{ state: 'submitted' }, 'Paying…', 'Pending'],
    [{ state: 'included', success: true }, 'Paid', 'Done'],
    [{ state: 'included', success: false }, 'Not paid', 'Failed'],
    [{ state: 'dropped' }, 'Not paid', 'Failed'],
    [{ state: 'expired' }, 'Expired', 'Expired'],
  ] as const
  for (const [ended, ofPayment, ofOther] of ends) {
    expect(stateText(viewOf(ended, [payment])), JSON.stringify(ended)).toBe(ofPayment)
    expect(stateText(viewOf(ended, [other])), JSON.stringify(ended)).toBe(ofOther)
  }
})

test('behavior: what moves nothing has no amount', () => {
  expect(viewOf({ state: 'included', success: true }, [other])).not.toHaveProperty('amount')
})

test('behavior: several payments name the first recipient, and their sum in one currency', () => {
  const ended = { state: 'included', success: true } as const
  const toAccount = { targetContractAddress: account, value: '1', encodedData: '0x' } as const
  expect(viewOf(ended, [payment, payment])).toMatchObject({ title: 'ben', amount: { text: '−50.00' } })
  const both = viewOf(ended, [payment, toAccount])
  expect(both).toMatchObject({ title: 'ben and 1 more', mark: 'party' })
  expect(both).not.toHaveProperty('amount')
})

test('behavior: what owners or guardians signed says where it does not hold yet, and that it ended a recovery', () => {
  const noteOf = (act: object) =>
    rowView(
      {
        ...{ kind: 'protection', at: '2026-11-28T14:32:00.000Z', id: 'x', topics: ['owners'] },
        act: { act: 'change', at: '', messageToSign: '0x', networks: [1], waiting: [], ...act } as never, // only what the row reads
      },
      { account, networks: [network], names: new Map() },
    ).note
  expect(noteOf({})).toBeUndefined()
  expect(noteOf({ waiting: [1] })).toBe('Not on One')
  expect(noteOf({ endsRecovery: true })).toBe('It ended the recovery.')
})

test('behavior: days are those of the person’s calendar', () => {
  const now = new Date(2026, 10, 29, 0, 30)
  const at = (...[day, hour]: [number, number]) => new Date(2026, 10, day, hour).toISOString()
  expect(dayOf(at(29, 0), now)).toBe('Today')
  expect(dayOf(at(28, 23), now)).toBe('Yesterday')
  expect(dayOf(at(26, 12), now)).toMatch(/Thursday/)
  expect(dayOf(undefined, now)).toBe('Earlier')
})
