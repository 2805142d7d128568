import type { Deposit } from './use-deposits.ts'

/**
 * Where the way out of one deposit stands.
 *
 * - `none`: nothing is on its way out
 * - `waiting`: until `readyAt`
 * - `ready`: to be collected
 */
export type ExitState =
  | { readonly kind: 'none' }
  | { readonly kind: 'waiting' | 'ready'; readonly amount: bigint; readonly readyAt: string }

/**
 * @param now - milliseconds since 1970; by the network's own clock it may be some seconds later.
 */
export function exitStateOf({ exiting, exitReadyAt }: Deposit, now: number): ExitState {
  if (exiting === 0n || exitReadyAt === undefined) return { kind: 'none' }
  const kind = Date.parse(exitReadyAt) <= now ? 'ready' : 'waiting'
  return { kind, amount: exiting, readyAt: exitReadyAt }
}
