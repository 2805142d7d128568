import { type Command, Option } from 'commander'
import { collectAddresses, parseCount, parseNative, parseTokens, withSending } from '../options.ts'
import type { DeployOptions } from './deploy-run.ts'

const help = `
Deploys the contracts of the smart balance, gives the roles, and funds it. Run it again at any time: it looks at the
network first and does only what is missing, also after it was interrupted. Liquidity, gas deposit and stake are
raised to the amounts given here and never lowered; the cap is set to its amount.

The owner's address decides the address of SmartBalance: use one owner on all networks.
--operator, --settler and --attestor default to the addresses of OPERATOR_PRIVATE_KEY, SETTLER_PRIVATE_KEY and
ATTESTOR_PRIVATE_KEYS, where these are set.`

/** `lanyard deploy`: SmartBalance and all that belongs to it, on one network. */
export function addDeploy(program: Command): void {
  withSending(program.command('deploy').description('deploy the smart balance on a network'))
    .requiredOption('--outflow-cap <tokens>', 'the most that may be lent in an hour', parseTokens)
    .addOption(raised('--liquidity <tokens>', 'what can be lent', parseTokens, '0'))
    .addOption(raised('--gas-deposit <coins>', "the paymaster's gas deposit", parseNative, '0.1'))
    .addOption(raised('--stake <coins>', "the paymaster's stake", parseNative, '0.1'))
    .option('--operator <address>', 'signs orders; may be repeated', collectAddresses)
    .option('--settler <address>', 'sends settlements; may be repeated', collectAddresses)
    .option('--attestor <address>', 'states outcomes; repeat it', collectAddresses)
    .option('--threshold <count>', 'how many attestors must agree', parseCount, 2)
    .addHelpText('after', help)
    .action(async (options: DeployOptions) => (await import('./deploy-run.ts')).deploy(options))
}

/** An amount that deploying brings up to what is asked for, and never down. */
const raised = (flags: string, what: string, parse: (text: string) => bigint, fallback: string) =>
  new Option(flags, `raise ${what} to this`).argParser(parse).default(parse(fallback), fallback)
