import type { Command } from 'commander'
import { type SendOptions, withSending } from '../options.ts'

/** `lanyard pause`: no new orders on a network. */
export function addPause(program: Command): void {
  withSending(
    program
      .command('pause')
      .description('take no new orders on a network; deposits can still leave, debits are settled'),
  ).action(async (options: SendOptions) => (await import('./set-paused.ts')).setPaused(options, true))
}
