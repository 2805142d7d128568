import type { Command } from 'commander'
import { ofOwner, withManual } from '../manual.ts'
import { parseAddress, withSending } from '../options.ts'
import type { GuardianOptions } from './guardian-set.ts'

const about = `
The guardian may pause new orders (\`lanyard pause\`) and revoke operators (\`lanyard roles revoke --role operator\`), both
with its key in DEPLOYER_PRIVATE_KEY, and nothing else. That key can be at hand day and night while the owner is a
multisig. Only the owner takes new orders again, and names another guardian.`

/** `lanyard guardian set`. */
export function addGuardian(program: Command): void {
  const guardian = program.command('guardian').description('who can stop new orders at any time')
  const set = withSending(
    guardian.command('set').description('name the guardian of SmartBalance on a network'),
  ).requiredOption('--address <address>', 'who; the zero address: nobody', parseAddress)
  withManual(set, {
    about,
    environment: ofOwner,
    opensKeys: true,
    examples: ['guardian set --network 8453 --address 0x00000000000000000000000000000000000a11ce'],
  }).action(async (options: GuardianOptions) => (await import('./guardian-set.ts')).setGuardian(options))
}
