import { type Command, Option } from 'commander'
import { ofOwner, withManual } from '../manual.ts'
import {
  collectAddresses,
  parseAddress,
  parseCount,
  parseNative,
  parseTokens,
  withSending,
} from '../options.ts'
import type { DeployOptions } from './deploy-run.ts'

const about = `
Deploys the contracts of the smart balance, gives the roles, and funds it. Run it again at any time: it looks at the
network first and does only what is missing, also after it was interrupted. Liquidity, gas deposit and stake are
raised to the amounts given here and never lowered; the cap is set to its amount.

The owner's address decides the address of SmartBalance: use one owner on all networks.`

/** `lanyard deploy`: SmartBalance and all that belongs to it, on one network. */
export function addDeploy(program: Command): void {
  const command = withSending(program.command('deploy').description('deploy the smart balance on a network'))
    .requiredOption('--outflow-cap <tokens>', 'the most that may be lent in an hour', parseTokens)
    .addOption(raised('--liquidity <tokens>', 'what can be lent', parseTokens, '0'))
    .addOption(raised('--gas-deposit <coins>', "the paymaster's gas deposit", parseNative, '0.1'))
    .addOption(raised('--stake <coins>', "the paymaster's stake", parseNative, '0.1'))
    .option('--operator <address>', 'signs orders; may be repeated', collectAddresses)
    .option('--settler <address>', 'sends settlements; may be repeated', collectAddresses)
    .option('--attestor <address>', 'states outcomes; repeat it', collectAddresses)
    .option('--guardian <address>', 'may pause new orders and revoke operators, nothing else', parseAddress)
    .option('--threshold <count>', 'how many attestors must agree', parseCount, 2)
  withManual(command, {
    about,
    environment: {
      ...ofOwner,
      OPERATOR_PRIVATE_KEY: 'whose address --operator is by default',
      SETTLER_PRIVATE_KEY: 'the same for --settler',
      ATTESTOR_PRIVATE_KEYS: 'the same for --attestor',
    },
    opensKeys: true,
    examples: [
      'deploy --network 8453 --outflow-cap 5000 --liquidity 20000 --dry-run',
      'deploy --network 8453 --outflow-cap 5000 --liquidity 20000 --yes --json',
    ],
  }).action(async (options: DeployOptions) => (await import('./deploy-run.ts')).deploy(options))
}

/** An amount that deploying brings up to what is asked for, and never down. */
const raised = (flags: string, what: string, parse: (text: string) => bigint, fallback: string) =>
  new Option(flags, `raise ${what} to this`).argParser(parse).default(parse(fallback), fallback)
