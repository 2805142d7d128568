import type { Command } from 'commander'
import { ofNetworks, withManual } from '../manual.ts'
import { type SendOptions, withSending } from '../options.ts'

const about = `
Anyone may deploy it: it has no owner, and its address follows from its code and from the addresses of the contracts
that no session may call. SmartBalance is one of them, so deploy that first and name it in NETWORKS_FILE.
Not audited.`

/** `lanyard deploy-session-keys`: SessionKeys on one network. */
export function addDeploySessionKeys(program: Command): void {
  const command = withSending(
    program.command('deploy-session-keys').description('deploy the contract of session keys on a network'),
  )
  withManual(command, {
    about,
    environment: { ...ofNetworks, DEPLOYER_PRIVATE_KEY: 'needed: any key with coins for gas' },
    opensKeys: true,
    examples: ['deploy-session-keys --network 8453 --dry-run'],
  }).action(async (options: SendOptions) =>
    (await import('./deploy-session-keys-run.ts')).deploySessionKeys(options),
  )
}
