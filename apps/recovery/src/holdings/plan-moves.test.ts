import { defaultDeployment } from '@lanyard/accounts'
import { smartBalanceAbi } from '@lanyard/onchain'
import { decodeFunctionData } from 'viem'
import { expect, test } from 'vitest'
import { timeInWords } from '../words.ts'
import { planMoves } from './plan-moves.ts'
import type { Holdings } from './read-holdings.ts'

const to = '0x00000000000000000000000000000000000000Ad'
const token = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const smartBalance = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const nothing: Holdings = { native: 0n, gasDeposit: 0n, tokens: [], now: 1_000n }
const nativeCurrency = { name: 'POL', symbol: 'POL', decimals: 18 }
const destination = { to, entryPoint: defaultDeployment.entryPoint, nativeCurrency } as const
const plan = (holdings: Partial<Holdings>) => planMoves({ ...nothing, ...holdings }, destination)
const deposit = (balance: bigint, exiting: bigint, readyAt: bigint) => ({
  deposit: { smartBalance, balance, exiting, readyAt } as const,
})
const exits = (holdings: Partial<Holdings>) =>
  plan(holdings).moves.map(({ call }) => decodeFunctionData({ abi: smartBalanceAbi, data: call.data }))

test('default: the native coin comes last', () => {
  const { moves, waiting } = plan({
    native: 999_999_293_550_109_84n,
    gasDeposit: 3n,
    tokens: [
      { address: token, symbol: 'USDC', decimals: 6, amount: 1_500_000n },
      { address: smartBalance, symbol: 'NONE', decimals: 6, amount: 0n },
    ],
  })
  expect(moves.map(({ what }) => what)).toEqual(['1.5 USDC', '<0.000001 POL kept for gas', '0.099999 POL'])
  expect(moves.at(-1)?.call).toEqual({ to, value: 999_999_293_550_109_84n, data: '0x' })
  expect(waiting).toBeUndefined()
})

test('behavior: nothing', () => {
  expect(plan({})).toEqual({ moves: [] })
  expect(plan(deposit(0n, 0n, 0n))).toEqual({ moves: [] })
})

test('behavior: requests the exit of a deposit', () => {
  expect(exits(deposit(9n, 0n, 0n))).toEqual([{ functionName: 'requestExit', args: [9n] }])
  // 1,000 s and seven days after the Unix epoch.
  expect(plan(deposit(9n, 0n, 0n)).waiting).toContain(`from about ${timeInWords(605_800)} on`)
})

test('behavior: does not repeat a pending exit, since a second request would restart its delay', () => {
  const { moves, waiting } = plan(deposit(9n, 4n, 1_001n))
  expect(moves).toEqual([])
  expect(waiting).toContain(
    `0.000004 of the combined balance: can be withdrawn from ${timeInWords(1_001)} on`,
  )
  expect(timeInWords(1_001)).toMatch(/^January 1, 1970 at |^December 31, 1969 at /)
})

test('behavior: finalizes a ready exit, and requests the rest', () => {
  expect(exits(deposit(9n, 9n, 1_000n))).toEqual([{ functionName: 'finalizeExit', args: [to] }])
  expect(exits(deposit(9n, 4n, 999n))).toEqual([
    { functionName: 'finalizeExit', args: [to] },
    { functionName: 'requestExit', args: [5n] },
  ])
})
