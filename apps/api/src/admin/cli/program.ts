import { Command } from 'commander'
import { version } from '../../platform/version.ts'
import { terminal } from './terminal.ts'

interface Group {
  readonly name: string
  readonly description: string
  readonly load: () => Promise<(group: Command) => void>
}

/**
 * Each group of commands is one file, which declares and runs them. A group is loaded only when it is called,
 * so that no command waits for the libraries of another. The help lists them in this order.
 */
const groups: readonly Group[] = [
  {
    name: 'start',
    description: 'start the service, with local networks unless others are configured',
    load: async () => (await import('./commands/start.ts')).addStart,
  },
  {
    name: 'init',
    description: 'write the settings of a service for others',
    load: async () => (await import('./commands/init.ts')).addInit,
  },
  {
    name: 'migrate',
    description: "update the database to this version's schema",
    load: async () => (await import('./commands/migrate.ts')).addMigrate,
  },
  {
    name: 'preflight',
    description: 'compare the networks with their configuration',
    load: async () => (await import('./commands/preflight.ts')).addPreflight,
  },
  {
    name: 'deploy',
    description: 'deploy the smart balance on a network',
    load: async () => (await import('./commands/deploy.ts')).addDeploy,
  },
  {
    name: 'deploy-session-keys',
    description: 'deploy the session keys contract on a network',
    load: async () => (await import('./commands/deploy-module.ts')).addDeploySessionKeys,
  },
  {
    name: 'deploy-ownership',
    description: 'deploy the contract of owner changes and guardians on a network',
    load: async () => (await import('./commands/deploy-module.ts')).addDeployOwnership,
  },
  {
    name: 'roles',
    description: 'manage who has a role in the smart balance on a network',
    load: async () => (await import('./commands/roles.ts')).addRoles,
  },
  {
    name: 'liquidity',
    description: 'manage what the operator can lend on a network',
    load: async () => (await import('./commands/liquidity.ts')).addLiquidity,
  },
  {
    name: 'gas-deposit',
    description: 'manage the deposit in EntryPoint from which SmartBalance pays gas',
    load: async () => (await import('./commands/gas-deposit.ts')).addGasDeposit,
  },
  {
    name: 'token-fees',
    description: 'manage the contracts that take tokens for gas',
    load: async () => (await import('./commands/token-fees.ts')).addTokenFees,
  },
  {
    name: 'stake',
    description: 'manage the stake of SmartBalance as a paymaster in EntryPoint',
    load: async () => (await import('./commands/stake.ts')).addStake,
  },
  {
    name: 'pauser',
    description: 'manage who can stop new orders at any time',
    load: async () => (await import('./commands/pauser.ts')).addPauser,
  },
  {
    name: 'pause',
    description: 'stop new orders on a network; deposits can still leave, and debits are settled',
    load: async () => (await import('./commands/pause.ts')).addPause,
  },
  {
    name: 'resume',
    description: 'allow new orders again',
    load: async () => (await import('./commands/pause.ts')).addResume,
  },
  {
    name: 'keys',
    description: 'manage API keys: who may call the service',
    load: async () => (await import('./commands/keys.ts')).addKeys,
  },
  {
    name: 'webhooks',
    description: 'manage where events are sent, and see the answers',
    load: async () => (await import('./commands/webhooks.ts')).addWebhooks,
  },
  {
    name: 'brand',
    description: "check the file with the wallet's name and look",
    load: async () => (await import('./commands/brand.ts')).addBrand,
  },
  {
    name: 'policies',
    description: 'check gas policies: whose gas the service pays',
    load: async () => (await import('./commands/policies.ts')).addPolicies,
  },
  {
    name: 'debts',
    description: 'list accounts that owe relayers gas, and forgive them',
    load: async () => (await import('./commands/debts.ts')).addDebts,
  },
  {
    name: 'audit',
    description: 'show who changed what, and check that nobody changed that record',
    load: async () => (await import('./commands/audit.ts')).addAudit,
  },
  {
    name: 'operators',
    description: 'manage who may use the console',
    load: async () => (await import('./commands/operators.ts')).addOperators,
  },
  {
    name: 'keystore',
    description: "keep the operator's keys in encrypted files, for variables such as OPERATOR_PRIVATE_KEY",
    load: async () => (await import('./commands/keystore.ts')).addKeystore,
  },
  {
    name: 'import',
    description: 'take over the users of another service',
    load: async () => (await import('./commands/import.ts')).addImport,
  },
  {
    name: 'export',
    description: 'write everything about one user to stdout',
    load: async () => (await import('./commands/export.ts')).addExport,
  },
  {
    name: 'ledger',
    description: 'export what moved money of accounts, and read it again from a chain',
    load: async () => (await import('./commands/ledger.ts')).addLedger,
  },
  {
    name: 'repair',
    description: 'compare the database with a chain, and repair it',
    load: async () => (await import('./commands/repair.ts')).addRepair,
  },
]

/**
 * Declares the command line without running anything.
 *
 * @param args - the arguments of the run: only the group that they name is loaded. Absent: all groups are
 * loaded.
 */
export async function createProgram(args?: readonly string[]): Promise<Command> {
  const program = new Command('lanyard')
    .description('Deploys and maintains what the service needs: networks, roles, money, database, API keys.')
    .version(version)
    .exitOverride()
    // Options after a command belong to that command, even if an outer command has the same option.
    .enablePositionalOptions()
    .configureOutput({
      writeOut: (text) => terminal().stdout(text),
      writeErr: (text) => terminal().stderr(text),
    })
    .showHelpAfterError('Try --help.')
  const called = args?.find((arg) => !arg.startsWith('-') && arg !== 'help')
  for (const { name, description, load } of groups) {
    const group = program.command(name).description(description)
    if (args === undefined || name === called) (await load())(group)
  }
  return program
}
