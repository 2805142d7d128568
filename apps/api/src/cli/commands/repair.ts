import type { Command } from 'commander'
import { differenceKinds } from '../../repair/difference.ts'
import { collectAddresses, parseBlock, withNetwork } from '../options.ts'
import type { RepairOptions } from './repair-run.ts'

const kinds = Object.entries(differenceKinds)
  .map(([kind, meaning]) => `  ${kind.padEnd(27)} ${meaning}`)
  .join('\n')

const help = `
Replays final blocks of one network against the database: operations of the accounts, orders, owners and modules; then
ledger entries, debits and finality. It shows every difference, and ends with 1 if there are any. With --apply each
that the chain decides is mended, in a transaction of its own that does nothing if the row has changed meanwhile; then
it ends with 1 only if some are left. Nothing is ever invented: what has no row gets none. The service may run.

${kinds}

Environment: NETWORKS_FILE; DATABASE_URL (or DATA_DIR, while the service does not run).`

/** `lanyard repair`. */
export function addRepair(program: Command): void {
  withNetwork(program.command('repair').description('compare the database with a chain, and mend it'))
    .option('--from-block <number>', 'default: the first that the database knows of', parseBlock)
    .option('--to-block <number>', 'default, and at most: the last final one', parseBlock)
    .option('--account <address>', 'only this one; may be repeated', collectAddresses)
    .option('--range <blocks>', 'ask for so many blocks at once, at most (default: 2000)', parseBlock)
    .option('--resume <file>', 'keep how far it came in this file, and begin there')
    .option('--apply', 'mend what the chain decides')
    .addHelpText('after', help)
    .action(async (options: RepairOptions) => (await import('./repair-run.ts')).repair(options))
}
