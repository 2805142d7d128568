import type { Command } from 'commander'
import { parseChainId, withJson } from '../options.ts'
import type { PreflightOptions } from './preflight-run.ts'

const help = `
Compares each network of NETWORKS_FILE with what its RPC answers: chain id, code at every address, P-256 precompile,
fees, tokens, price feed, SmartBalance and SessionKeys, roles of the configured keys, deposits and balances. It only
reads, and needs no service. Each finding says what mends it; docs/networks.md lists them all.
Ends with 1 when there is an error; warnings and notes alone end with 0.

Environment: NETWORKS_FILE, and the keys of the service (addresses are enough: remote:0x…).`

/** `lanyard preflight`: is what the configuration says of the networks true? */
export function addPreflight(program: Command): void {
  withJson(program.command('preflight').description('compare the networks with their configuration'))
    .option('--network <chainId>', 'only this network of NETWORKS_FILE', parseChainId)
    .addHelpText('after', help)
    .action(async (options: PreflightOptions) => (await import('./preflight-run.ts')).runPreflight(options))
}
