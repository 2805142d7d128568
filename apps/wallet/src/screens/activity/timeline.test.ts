import { encodeOwnerChange } from '@lanyard/accounts'
import { sessionKeysAbi, smartBalanceAbi } from '@lanyard/onchain'
import { type Address, encodeFunctionData, erc20Abi, type Hex } from 'viem'
import { describe, expect, test } from 'vitest'
import type { Network } from '../../networks/use-networks.ts'
import type { Activity } from '../../operation/use-activity.ts'
import { describeAct } from './describe-act.ts'
import { toTimeline } from './timeline.ts'

const account = '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65'
const friend = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const token = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
const smartBalance = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const hash = (digit: string) => `0x${digit.repeat(64)}` as Hex

const usdc = { symbol: 'USDC', decimals: 6, token } as const
const network: Network = {
  chainId: 1,
  name: 'One',
  explorerUrl: undefined,
  local: true,
  currencies: [{ symbol: 'ETH', decimals: 18 }, usdc],
  smartBalance: { address: smartBalance, token: usdc, unit: { symbol: 'USDC', decimals: 6 } },
  sessionKeys: undefined,
}
const call = (to: Address, data: Hex, value = '0') => ({
  targetContractAddress: to,
  encodedData: data,
  value,
})
const transfer = call(
  token,
  encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [friend, 250n] }),
)
const claim = call(
  smartBalance,
  encodeFunctionData({ abi: smartBalanceAbi, functionName: 'claim', args: [7n] }),
)
const operation = (signedAt: string, txnHash: Hex, calls: Activity['calls']): Activity => ({
  userOpHash: txnHash,
  network: '1',
  state: 'included',
  final: true,
  success: true,
  txnHash,
  signedAt,
  sender: account,
  calls,
})
const received = (at: string, from: Address, txnHash: Hex, of: Address | null = token) => ({
  at,
  from,
  txnHash,
  token: of,
  amount: '100',
  blockNumber: '1',
  pending: false,
})
const onOne = (...transfers: ReturnType<typeof received>[]) => [
  { network: '1', available: true, fromBlock: '0', unread: null, transfers },
]
const input = {
  account,
  networks: [network],
  operations: [],
  protection: [],
  received: [],
  balances: [],
  early: [],
  hasOlder: false,
} as const

describe('toTimeline', () => {
  test('default: sorts entries of all networks and kinds by date, newest first', () => {
    const entries = toTimeline({
      ...input,
      operations: [operation('2026-01-03T00:00:00Z', hash('3'), [transfer])],
      received: onOne(
        received('2026-01-02T00:00:00Z', friend, hash('2')),
        received('2026-01-04T00:00:00Z', friend, hash('4'), null),
      ),
    })
    expect(entries.map(({ at, topics }) => [at?.slice(8, 10), ...topics])).toEqual([
      ['04', 'received'],
      ['03', 'sent'],
      ['02', 'received'],
    ])
    expect(entries[0]).toMatchObject({ currency: { symbol: 'ETH' }, amount: 100n, from: friend })
  })

  test("behavior: the user's own payment from the combined balance is sent, not received", () => {
    const entries = toTimeline({
      ...input,
      operations: [operation('2026-01-01T00:00:00Z', hash('1'), [claim, transfer])],
      received: onOne(received('2026-01-01T00:00:02Z', smartBalance, hash('1'))),
    })
    expect(entries.map(({ topics }) => topics)).toEqual([['combined', 'sent']])
  })

  test('behavior: what a session key pays is a payment of the account', () => {
    const sessionKeys = '0x90F79bf6EB2c4f870365E785982E1f101E93b906'
    const inner = [{ to: token, value: 0n, data: transfer.encodedData }] as const
    const act = encodeFunctionData({ abi: sessionKeysAbi, functionName: 'execute', args: [hash('5'), inner] })
    const [entry] = toTimeline({
      ...input,
      networks: [{ ...network, sessionKeys }],
      operations: [operation('2026-01-01T00:00:00Z', hash('1'), [call(sessionKeys, act)])],
    })
    expect(entry).toMatchObject({
      topics: ['sessions'],
      payments: [{ to: friend, amount: 250n, currency: usdc }],
    })
  })

  test("behavior: someone else's payment in the same bundle is still received", () => {
    const entries = toTimeline({
      ...input,
      operations: [operation('2026-01-01T00:00:00Z', hash('1'), [claim, transfer])],
      received: onOne(received('2026-01-01T00:00:02Z', friend, hash('1'))),
    })
    expect(entries).toHaveLength(2)
  })

  test('behavior: without a deployed account, native value is one last entry without date and sender', () => {
    const balance = { chainId: 1, available: true, native: 5n, tokens: [] }
    const operations = [operation('2026-01-01T00:00:00Z', hash('1'), [transfer])]
    const [, last] = toTimeline({ ...input, operations, balances: [{ ...balance, deployed: false }] })
    expect(last).toMatchObject({ kind: 'receipt', amount: 5n, at: undefined, from: undefined })
    expect(toTimeline({ ...input, operations, balances: [{ ...balance, deployed: true }] })).toHaveLength(1)
  })

  test('behavior: native value from before the deployment stays in the list after it', () => {
    const deployed = { chainId: 1, available: true, native: 1n, tokens: [], deployed: true }
    const early = [{ chainId: 1, amount: 5n, seenAt: '2026-01-01T00:00:00.000Z' }]
    expect(toTimeline({ ...input, balances: [deployed], early })).toMatchObject([
      { kind: 'receipt', amount: 5n, at: '2026-01-01T00:00:00.000Z', from: undefined },
    ])
  })

  test('behavior: acts of owners and guardians stand by date, under their topic', () => {
    const everywhere = { messageToSign: hash('a'), networks: [1], waiting: [] }
    const ended = encodeOwnerChange({ kind: 'revokeSessions' })
    const protection = [
      { act: 'change', at: '2026-01-06T00:00:00Z', change: ended, ...everywhere },
      { act: 'recovery-executed', at: '2026-01-04T00:00:00Z', ...everywhere, waiting: [2, 3] },
      { act: 'recovery-started', at: '2026-01-02T00:00:00Z', ...everywhere },
      { act: 'recovery-signed', at: '2026-01-02T00:00:00Z', guardian: friend, ...everywhere },
    ] as const
    const acts = protection.map((act) => ({ ...act, networks: [...act.networks], waiting: [...act.waiting] }))
    const operations = [operation('2026-01-03T00:00:00Z', hash('3'), [transfer])]
    const entries = toTimeline({ ...input, operations, protection: acts })
    expect(entries.map(({ topics }) => topics)).toEqual([
      ['sessions'],
      ['owners'],
      ['sent'],
      ['owners'],
      ['owners'],
    ])
    const names = new Map([[friend.toLowerCase(), 'ben']])
    expect(acts.map((act) => describeAct(act, names))).toEqual([
      'Ended all session keys',
      'The account was recovered on 1 of 3 networks',
      'Your guardians started a recovery',
      'Guardian ben (0x7099…79C8) signed a recovery',
    ])
    // Nothing is inserted later above what was read.
    expect(toTimeline({ ...input, operations, protection: acts, hasOlder: true })).toHaveLength(3)
  })

  test('behavior: shows older receipts only once operations of that time are loaded', () => {
    const older = {
      ...input,
      operations: [operation('2026-01-05T00:00:00Z', hash('5'), [transfer])],
      received: onOne(received('2026-01-02T00:00:00Z', friend, hash('2'))),
    }
    expect(toTimeline({ ...older, hasOlder: true })).toHaveLength(1)
    expect(toTimeline(older)).toHaveLength(2)
  })
})
