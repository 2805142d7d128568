import type { Command } from 'commander'
import { ofNetworks, withManual } from '../manual.ts'
import { parseChainId, withJson } from '../options.ts'
import type { PreflightOptions } from './preflight-run.ts'

const about = `
Compares each network of NETWORKS_FILE with what its RPC answers: chain id, code at every address, P-256 precompile,
fees, tokens, price feed, SmartBalance and SessionKeys, roles of the configured keys, deposits and balances. It only
reads, and needs no service. Each finding says what mends it; docs/networks.md lists them all.`

/** `lanyard preflight`: is what the configuration says of the networks true? */
export function addPreflight(program: Command): void {
  const command = withJson(
    program.command('preflight').description('compare the networks with their configuration'),
  ).option('--network <chainId>', 'only this network of NETWORKS_FILE', parseChainId)
  withManual(command, {
    about,
    environment: {
      ...ofNetworks,
      RELAYER_PRIVATE_KEYS: 'whose coins are looked at; remote:0x… is enough, here and below',
      OPERATOR_PRIVATE_KEY: 'whose role is looked at',
      SETTLER_PRIVATE_KEY: 'the same',
      TOP_UP_PRIVATE_KEY: 'whose coins are looked at',
      TOP_UP_PER_HOUR: 'tokens; the gas deposit should hold no more than twice as much',
      ATTESTOR_PRIVATE_KEYS: 'the same',
      LIQUIDITY_WARNING: 'tokens; with less to lend there is a warning',
    },
    opensKeys: true,
    endings: { failed: 'there is an error; warnings and notes alone end with 0' },
    examples: ['preflight', 'preflight --network 8453 --json'],
  }).action(async (options: PreflightOptions) => (await import('./preflight-run.ts')).runPreflight(options))
}
