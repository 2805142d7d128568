import type { Command } from 'commander'
import { ofOwner, withManual } from '../manual.ts'
import { type SendOptions, withSending } from '../options.ts'

/** `lanyard resume`: the opposite of `lanyard pause`. */
export function addResume(program: Command): void {
  withManual(withSending(program.command('resume').description('take new orders again')), {
    environment: ofOwner,
    opensKeys: true,
    examples: ['resume --network 8453'],
  }).action(async (options: SendOptions) => (await import('./set-paused.ts')).setPaused(options, false))
}
