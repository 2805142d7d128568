import type { Call } from '@lanyard/accounts'
import { encodeFinalizeExit, encodeRequestExit, exitDelay } from '@lanyard/smart-balance'
import { type Address, encodeFunctionData, erc20Abi, formatUnits } from 'viem'
import { entryPoint07Abi } from 'viem/account-abstraction'
import type { NativeCurrency } from '../kit/recovery-kit.ts'
import { shortAmount, t, timeInWords } from '../words.ts'
import type { Deposit, Holdings } from './read-holdings.ts'

/** One action on the account's holdings. */
export interface Move {
  readonly call: Call
  /** `10 USDC`: the amount that is moved or requested. */
  readonly what: string
  /** True if this only requests an exit: nothing arrives yet. */
  readonly request?: true
}

export interface Moves {
  /** In execution order. The native coin is last. */
  readonly moves: readonly Move[]
  /** What cannot be moved yet, as a sentence. */
  readonly waiting?: string
}

export interface Destination {
  readonly to: Address
  readonly entryPoint: Address
  readonly nativeCurrency: NativeCurrency
}

/** Decimals of all smart balance amounts. */
const depositDecimals = 6

/**
 * Plans the calls that send everything in the account to `to`. A smart balance deposit takes two runs: the
 * first requests the exit, and the second withdraws the deposit after the contract's delay.
 */
export function planMoves(holdings: Holdings, { to, entryPoint, nativeCurrency }: Destination): Moves {
  const { native, gasDeposit, tokens, deposit, now } = holdings
  const coins = (amount: bigint) => `${shortAmount(amount, nativeCurrency.decimals)} ${nativeCurrency.symbol}`
  const exit = deposit ? planExit(deposit, to, now) : { moves: [] }
  const moves: Move[] = [...exit.moves]
  for (const { address, symbol, decimals, amount } of tokens) {
    if (amount === 0n) continue
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, amount] })
    moves.push({ call: { to: address, value: 0n, data }, what: `${shortAmount(amount, decimals)} ${symbol}` })
  }
  if (gasDeposit > 0n) {
    const args = [to, gasDeposit] as const
    const data = encodeFunctionData({ abi: entryPoint07Abi, functionName: 'withdrawTo', args })
    const what = t('{amount} kept for gas', { amount: coins(gasDeposit) })
    moves.push({ call: { to: entryPoint, value: 0n, data }, what })
  }
  if (native > 0n) {
    moves.push({ call: { to, value: native, data: '0x' }, what: coins(native) })
  }
  return { moves, ...(exit.waiting !== undefined && { waiting: exit.waiting }) }
}

function planExit({ smartBalance, balance, exiting, readyAt }: Deposit, to: Address, now: bigint): Moves {
  if (balance === 0n) return { moves: [] }
  const inTokens = (amount: bigint) =>
    t('{amount} of the combined balance', { amount: formatUnits(amount, depositDecimals) })
  const ask = (amount: bigint): Move[] =>
    amount === 0n
      ? []
      : [{ call: encodeRequestExit(smartBalance, amount), what: inTokens(amount), request: true }]
  const about = (amount: bigint) =>
    t('{what}: can be withdrawn from about {time} on.', {
      what: inTokens(amount),
      time: timeInWords(Number(now + BigInt(exitDelay))),
    })
  if (exiting === 0n) {
    return {
      moves: ask(balance),
      waiting: about(balance),
    }
  }
  // A second request would restart the delay.
  if (now < readyAt) {
    const time = timeInWords(Number(readyAt))
    const waiting = t('{what}: can be withdrawn from {time} on.', { what: inTokens(exiting), time })
    return { moves: [], waiting }
  }
  const rest = balance - exiting
  return {
    moves: [{ call: encodeFinalizeExit(smartBalance, to), what: inTokens(exiting) }, ...ask(rest)],
    ...(rest > 0n && { waiting: about(rest) }),
  }
}
