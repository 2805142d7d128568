import type { Command } from 'commander'
import { type SendOptions, withSending } from '../options.ts'

const help = `
Anyone may deploy it: it has no owner, and its address follows from its code and from the addresses of the contracts
that no session may call. SmartBalance is one of them, so deploy that first and name it in NETWORKS_FILE.
Not audited.`

/** `lanyard deploy-session-keys`: SessionKeys on one network. */
export function addDeploySessionKeys(program: Command): void {
  withSending(
    program.command('deploy-session-keys').description('deploy the contract of session keys on a network'),
  )
    .addHelpText('after', help)
    .action(async (options: SendOptions) =>
      (await import('./deploy-session-keys-run.ts')).deploySessionKeys(options),
    )
}
