import { Command } from 'commander'
import { version } from '../../platform/version.ts'
import { addDeploy } from './commands/deploy.ts'
import { addDeploySessionKeys } from './commands/deploy-session-keys.ts'
import { addExport } from './commands/export.ts'
import { addGasDeposit } from './commands/gas-deposit.ts'
import { addGuardian } from './commands/guardian.ts'
import { addImport } from './commands/import.ts'
import { addKeys } from './commands/keys.ts'
import { addKeystore } from './commands/keystore.ts'
import { addLiquidity } from './commands/liquidity.ts'
import { addMigrate } from './commands/migrate.ts'
import { addPause } from './commands/pause.ts'
import { addPreflight } from './commands/preflight.ts'
import { addRepair } from './commands/repair.ts'
import { addResume } from './commands/resume.ts'
import { addRoles } from './commands/roles.ts'
import { addStake } from './commands/stake.ts'
import { terminal } from './terminal.ts'

/**
 * A command is one file, which adds itself to the program. It imports what it does only when it is run, so that no
 * command waits for the libraries of another. Help lists them in this order.
 */
const commands = [
  addMigrate,
  addPreflight,
  addDeploy,
  addDeploySessionKeys,
  addRoles,
  addLiquidity,
  addGasDeposit,
  addStake,
  addGuardian,
  addPause,
  addResume,
  addKeys,
  addKeystore,
  addExport,
  addImport,
  addRepair,
]

/** The command line, declared; nothing runs yet. */
export function createProgram(): Command {
  const program = new Command('lanyard')
    .description(
      'Deploys and looks after what the service needs: networks, roles, money, database, API keys.',
    )
    .version(version)
    .exitOverride()
    // Options after a command are that command's own, also where an outer one has the same.
    .enablePositionalOptions()
    .configureOutput({
      writeOut: (text) => terminal().stdout(text),
      writeErr: (text) => terminal().stderr(text),
    })
    .showHelpAfterError('Try --help.')
  for (const add of commands) add(program)
  return program
}
