import type { Command } from 'commander'
import { type SendOptions, withSending } from '../options.ts'

/** `lanyard resume`: the opposite of `lanyard pause`. */
export function addResume(program: Command): void {
  withSending(program.command('resume').description('take new orders again')).action(
    async (options: SendOptions) => (await import('./set-paused.ts')).setPaused(options, false),
  )
}
