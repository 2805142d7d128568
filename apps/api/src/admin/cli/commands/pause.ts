import type { Command } from 'commander'
import { ofOwner, withManual } from '../manual.ts'
import { type SendOptions, withSending } from '../options.ts'

/** `lanyard pause`: no new orders on a network. */
export function addPause(program: Command): void {
  const command = withSending(
    program
      .command('pause')
      .description('take no new orders on a network; deposits can still leave, debits are settled'),
  )
  withManual(command, {
    about: "\nThe guardian's key in DEPLOYER_PRIVATE_KEY does it, too.",
    environment: ofOwner,
    opensKeys: true,
    examples: ['pause --network 8453 --yes'],
  }).action(async (options: SendOptions) => (await import('./set-paused.ts')).setPaused(options, true))
}
