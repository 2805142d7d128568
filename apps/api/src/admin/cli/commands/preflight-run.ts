import type { Network } from '@lanyard/networks'
import { readCliEnv } from '../../../platform/environment/env.ts'
import { type PreflightSubject, preflight } from '../../preflight/preflight.ts'
import { countOf, describeReports } from '../../preflight/report.ts'
import { CommandEnd, exitCodes } from '../exit-codes.ts'
import { openNetworks } from '../open-network.ts'
import { createOutput } from '../output.ts'
import { findRelayers, findRoleHolders, findTopUps } from '../role-holders.ts'
import { terminal } from '../terminal.ts'

/** As parsed from the command line. */
export interface PreflightOptions {
  readonly network?: number
  readonly json?: boolean
}

/** `lanyard preflight`. */
export async function runPreflight(options: PreflightOptions): Promise<void> {
  const env = readCliEnv(terminal().env)
  const networks = await openNetworks(env)
  const chosen = options.network === undefined ? networks.list() : [networks.get(options.network)]
  const subjects = new Map<Network, PreflightSubject>()
  for (const network of chosen) {
    const holders = {
      ...(await findRoleHolders(network.config, env)),
      relayers: await findRelayers(network.config, env),
      topUps: await findTopUps(network.config, env),
    }
    const liquidityWarning = BigInt(env.LIQUIDITY_WARNING)
    const hourly = holders.topUps.length > 0 && { topUpPerHour: BigInt(env.TOP_UP_PER_HOUR) }
    subjects.set(network, { network, holders, liquidityWarning, ...hourly, now: () => new Date() })
  }
  const reports = await preflight([...subjects.values()])
  const output = createOutput(options)
  for (const line of describeReports(reports)) output.say(line)
  const errors = countOf(reports, 'error')
  output.finish({ errors, warnings: countOf(reports, 'warning'), networks: reports })
  if (errors > 0) throw new CommandEnd(exitCodes.failed)
}
