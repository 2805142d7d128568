import type { Command } from 'commander'
import { differenceKinds } from '../../maintenance/repair/difference.ts'
import { ofNetworks, ofPreparedDatabase, withManual } from '../manual.ts'
import { collectAddresses, parseBlock, withNetwork } from '../options.ts'
import type { RepairOptions } from './repair-run.ts'

const about = `
Replays final blocks of one network against the database: operations of the accounts, orders, owners and modules; then
ledger entries, debits and finality. It shows every difference. With --apply each that the chain decides is mended, in
a transaction of its own that does nothing if the row has changed meanwhile. Nothing is ever invented: what has no row
gets none. The service may run.

Who owns an account on a network is read from that network each time and stored nowhere; stored, and mended, is what the
account began with (first owner, module), which passkey that is, and by which verifiers a passkey signs. Sessions are on
chain alone.`

/** `lanyard repair`. */
export function addRepair(program: Command): void {
  const command = withNetwork(
    program.command('repair').description('compare the database with a chain, and mend it'),
  )
    .option('--from-block <number>', 'default: the first that the database knows of', parseBlock)
    .option('--to-block <number>', 'default, and at most: the last final one', parseBlock)
    .option('--account <address>', 'only this one; may be repeated', collectAddresses)
    .option('--range <blocks>', 'ask for so many blocks at once, at most (default: 2000)', parseBlock)
    .option('--resume <file>', 'keep how far it came in this file, and begin there')
    .option('--apply', 'mend what the chain decides')
  withManual(command, {
    about,
    terms: differenceKinds,
    environment: { ...ofNetworks, ...ofPreparedDatabase },
    endings: { failed: 'there are differences; with --apply, some are left' },
    examples: ['repair --network 8453', 'repair --network 8453 --apply --resume repair-8453.json'],
  }).action(async (options: RepairOptions) => (await import('./repair-run.ts')).repair(options))
}
