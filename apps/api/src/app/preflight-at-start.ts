import { createNetworks, type NetworkConfig } from '@lanyard/networks'
import type { Logger } from 'pino'
import { type Finding, finding, stopsStart } from '../admin/preflight/finding.ts'
import { type NetworkReport, type PreflightSubject, preflightNetwork } from '../admin/preflight/preflight.ts'
import { ConfigurationError } from '../platform/environment/configuration-error.ts'
import type { Env } from '../platform/environment/env.ts'
import { sendsOperations } from '../platform/environment/sends-operations.ts'
import type { Keys } from '../platform/keys/keys.ts'
import { relayersFor, roleKeysFor, treasuryFor } from '../platform/keys/role-keys.ts'
import { withTimeout } from '../platform/timeouts.ts'

/** Milliseconds that the start waits for a network; the network may recover later. */
const timeout = 15_000

interface AtStart {
  readonly configs: readonly NetworkConfig[]
  readonly env: Env
  readonly keys: Keys
  readonly log: Logger
  readonly now: () => Date
}

/**
 * Checks the networks against their configuration before they are used. A finding that could lose money stops
 * the start; others are logged. A network that does not answer does not prevent the service from serving the
 * others. Local networks hold no real funds and are not checked.
 *
 * @throws ConfigurationError listing the findings that could lose money
 */
export async function preflightAtStart({ configs, env, keys, log, now }: AtStart): Promise<void> {
  if (env.PREFLIGHT === 'off') return
  const networks = createNetworks(
    configs.filter(({ local }) => !local),
    () => now().getTime(),
  )
  const reports = await Promise.all(
    networks.list().map((network) => {
      const { config } = network
      const { operator, attestors, settler, topUp } = roleKeysFor(config, env, keys)
      const addresses = (accounts: readonly ({ readonly address: `0x${string}` } | undefined)[]) =>
        accounts.flatMap((account) => (account ? [account.address] : []))
      return boundedReport({
        network,
        now,
        liquidityWarning: BigInt(env.LIQUIDITY_WARNING),
        ...(env.PRICE_SOURCE !== undefined && { priceSource: env.PRICE_SOURCE }),
        ...(topUp && { topUpPerHour: BigInt(env.TOP_UP_PER_HOUR) }),
        holders: {
          relayers: sendsOperations(env) ? addresses(relayersFor(config, keys)) : [],
          operators: addresses([operator]),
          settlers: addresses([settler]),
          attestors: addresses(attestors),
          topUps: addresses([topUp]),
          ...(env.ROLES.includes('topUp') && {
            treasuries: addresses([treasuryFor(config, env, keys)?.account]),
          }),
        },
      })
    }),
  )
  for (const { network, findings } of reports) {
    for (const one of findings) {
      const { code, message, severity, ...details } = one
      const level = severity === 'note' ? 'debug' : 'warn'
      log[level]({ network, finding: code, ...details }, `preflight: ${message}`)
    }
  }
  const fatal = reports.flatMap(({ name, network, findings }) =>
    findings.filter(stopsStart).map((one) => describe(name, network, one)),
  )
  if (fatal.length === 0 || env.PREFLIGHT === 'warn') return
  throw new ConfigurationError('The networks (PREFLIGHT=warn starts anyway)', fatal)
}

async function boundedReport(subject: PreflightSubject): Promise<NetworkReport> {
  const { chainId, name } = subject.network.config
  try {
    return await withTimeout(timeout, preflightNetwork(subject))
  } catch {
    const late = finding('RPC_UNREACHABLE', {
      message: `It could not be checked within ${timeout / 1000} s.`,
      fix: `\`lanyard preflight --network ${chainId}\` when it answers.`,
    })
    return { network: chainId, name, findings: late }
  }
}

const describe = (name: string, network: number, { code, message, expected, seen, fix }: Finding): string =>
  [
    `${name} (${network}) ${code}: ${message}`,
    ...(expected === undefined ? [] : [`expected ${expected}`]),
    ...(seen === undefined ? [] : [`seen ${seen}`]),
    ...(fix === undefined ? [] : [`fix: ${fix}`]),
  ].join('\n      ')
