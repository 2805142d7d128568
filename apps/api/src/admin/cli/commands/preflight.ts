import type { Network } from '@lanyard/networks'
import type { Command } from 'commander'
import { readCliEnv } from '../../../platform/environment/env.ts'
import { hideSecrets } from '../../../platform/secrets/hidden-secrets.ts'
import { secretsOfPriceSource } from '../../../platform/secrets/secrets-of.ts'
import { preflightProviders } from '../../preflight/identity-providers.ts'
import { preflightDomain } from '../../preflight/passkey-domain.ts'
import { type PreflightSubject, preflight } from '../../preflight/preflight.ts'
import { countOf, describeReports } from '../../preflight/report.ts'
import { CommandEnd, exitCodes } from '../exit-codes.ts'
import { ofNetworks, withManual } from '../manual.ts'
import { openNetworks } from '../open-network.ts'
import { parseChainId, withJson } from '../options.ts'
import { createOutput } from '../output.ts'
import { findRelayers, findRoleHolders, findTopUps, findTreasuries } from '../role-holders.ts'
import { terminal } from '../terminal.ts'

const about = `
Compares each network of NETWORKS_FILE with the answers of its RPC: chain id, code at every address, P-256 precompile,
fees, tokens, price feed, SmartBalance and SessionKeys, roles of the configured keys, deposits and balances. If other
domains or apps use the passkeys of RP_ID, it reads the files that have to say so there, and it reads the descriptions of
IDENTITY_PROVIDERS. It only reads, and needs no running service. Each finding says how to fix it. docs/networks.md lists them all.`

/** `lanyard preflight`: checks the networks against their configuration. */
export function addPreflight(group: Command): void {
  const command = withJson(group).option(
    '--network <chainId>',
    'only this network of NETWORKS_FILE',
    parseChainId,
  )
  withManual(command, {
    about,
    environment: {
      ...ofNetworks,
      RELAYER_PRIVATE_KEYS: 'its balance is checked; remote:0x… is enough, here and below',
      RELAYER_TREASURY_PRIVATE_KEY: 'its balance is checked',
      OPERATOR_PRIVATE_KEY: 'its role is checked',
      SETTLER_PRIVATE_KEY: 'its role and its balance are checked',
      TOP_UP_PRIVATE_KEY: 'its balance is checked',
      TOP_UP_PER_HOUR: 'tokens; the gas deposit should hold at most twice as much',
      ATTESTOR_PRIVATE_KEYS: 'their roles are checked',
      LIQUIDITY_WARNING: 'tokens; warns if less can be lent',
      RP_ID: 'the domain of passkeys',
      ORIGINS: 'those outside RP_ID have to be in its file',
      IOS_APPS: 'have to be in the file of RP_ID',
      ANDROID_APPS: 'have to be in the file of RP_ID',
      PRICE_SOURCE: 'each currency has to have a price there',
      IDENTITY_PROVIDERS: 'each has to describe itself as a login needs it',
    },
    opensKeys: true,
    endings: { failed: 'there is an error; with only warnings and notes, the exit code is 0' },
    examples: ['preflight', 'preflight --network 8453 --json'],
  }).action((options: PreflightOptions) => runPreflight(options))
}

/** As parsed from the command line. */
interface PreflightOptions {
  readonly network?: number
  readonly json?: boolean
}

/** `lanyard preflight`. */
async function runPreflight(options: PreflightOptions): Promise<void> {
  const env = readCliEnv(terminal().env)
  hideSecrets(secretsOfPriceSource(env.PRICE_SOURCE))
  const networks = await openNetworks(env)
  const chosen = options.network === undefined ? networks.list() : [networks.get(options.network)]
  const subjects = new Map<Network, PreflightSubject>()
  for (const network of chosen) {
    const holders = {
      ...(await findRoleHolders(network.config, env)),
      relayers: await findRelayers(network.config, env),
      topUps: await findTopUps(network.config, env),
      treasuries: await findTreasuries(env),
    }
    const liquidityWarning = BigInt(env.LIQUIDITY_WARNING)
    const hourly = holders.topUps.length > 0 && { topUpPerHour: BigInt(env.TOP_UP_PER_HOUR) }
    const shown = env.PRICE_SOURCE !== undefined && { priceSource: env.PRICE_SOURCE }
    subjects.set(network, { network, holders, liquidityWarning, ...hourly, ...shown, now: () => new Date() })
  }
  const apps = { ios: env.IOS_APPS, android: env.ANDROID_APPS }
  const [reports, domain, providers] = await Promise.all([
    preflight([...subjects.values()]),
    preflightDomain({ rpId: env.RP_ID, origins: env.ORIGINS, apps }),
    preflightProviders(env.IDENTITY_PROVIDERS),
  ])
  const all = [...(domain ? [domain] : []), ...providers, ...reports]
  const output = createOutput(options)
  for (const line of describeReports(all)) output.say(line)
  const errors = countOf(all, 'error')
  output.finish({
    ...{ errors, warnings: countOf(all, 'warning'), networks: reports },
    ...(domain && { domain }),
    ...(providers.length > 0 && { identityProviders: providers }),
  })
  if (errors > 0) throw new CommandEnd(exitCodes.failed)
}
