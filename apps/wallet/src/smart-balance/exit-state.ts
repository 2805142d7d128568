import type { Deposit } from './use-deposits.ts'

/**
 * The state of one deposit's exit.
 *
 * - `none`: no exit was requested
 * - `waiting`: until `readyAt`
 * - `ready`: can be collected
 */
export type ExitState =
  | { readonly kind: 'none' }
  | { readonly kind: 'waiting' | 'ready'; readonly amount: bigint; readonly readyAt: string }

/**
 * @param now - milliseconds since 1970; the network's own clock may be a few seconds ahead
 */
export function exitStateOf({ exiting, exitReadyAt }: Deposit, now: number): ExitState {
  if (exiting === 0n || exitReadyAt === undefined) return { kind: 'none' }
  const kind = Date.parse(exitReadyAt) <= now ? 'ready' : 'waiting'
  return { kind, amount: exiting, readyAt: exitReadyAt }
}
