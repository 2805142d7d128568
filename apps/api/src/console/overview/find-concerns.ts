import type { Exposure } from '../../domain/smart-balance/settlement/exposure.ts'
import { counted } from '../../platform/counted.ts'
import type { DeadProcess } from './find-dead.ts'
import type { RelayerView } from './read-relayers.ts'

/** Something that an operator may have to act on. */
export interface Concern {
  readonly level: 'error' | 'warning'
  readonly title: string
  readonly text: string
  /** Where the console shows more: a path. */
  readonly to: string
}

export interface Facts {
  readonly now: Date
  readonly networkNames: ReadonlyMap<number, string>
  readonly health: {
    readonly database: 'up' | 'down'
    readonly networks: readonly {
      readonly network: number
      readonly status: 'up' | 'down'
      readonly rateLimit?: number
    }[]
  }
  readonly dead: readonly DeadProcess[]
  readonly relayers: readonly RelayerView[]
  /** Operations in no block, by network. */
  readonly waiting: readonly {
    readonly network: number
    readonly count: number
    readonly oldestAt: Date | null
  }[]
  readonly failingWebhooks: number
  /** By the service: nobody accepted their deliveries for days, or the receiver answered 410. */
  readonly disabledWebhooks: number
  readonly suspensions: number
  readonly exposure: readonly Exposure[]
  /** wei of the last day, by network. */
  readonly lostGas: readonly { readonly network: number; readonly wei: bigint }[]
}

/** Milliseconds after which a waiting operation or transaction is not usual any more. */
const longWait = 2 * 60_000

/** wei below which a relayer can pay for few more bundles: a hundredth of a coin. */
const lowBalance = 10n ** 16n

/** What the stored state and the networks show now. Rules with a duration are the business of Prometheus. */
export function findConcerns(facts: Facts): readonly Concern[] {
  const { now, networkNames, health, dead, relayers, waiting, exposure, lostGas } = facts
  const name = (network: number) => networkNames.get(network) ?? `network ${network}`
  const isOld = (at: Date | null) => at !== null && now.getTime() - at.getTime() > longWait
  const errors = (condition: boolean, title: string, text: string, to: string): Concern[] =>
    condition ? [{ level: 'error', title, text, to }] : []
  const warnings = (condition: boolean, title: string, text: string, to: string): Concern[] =>
    condition ? [{ level: 'warning', title, text, to }] : []
  return [
    ...errors(health.database === 'down', 'The database does not answer', 'Nothing can be submitted.', '/'),
    ...dead.map(({ roles, host, seenAt, missing }): Concern => {
      const last = `Its last sign of life was at ${seenAt}.`
      return missing.length > 0
        ? {
            ...{ level: 'error', title: `No process has the role ${missing.join(', ')}`, to: '/' },
            text: `The last one, on ${host}, ended without stopping. ${last}`,
          }
        : {
            ...{ level: 'warning', title: `A process with the role ${roles.join(', ')} is dead`, to: '/' },
            text: `On ${host}. ${last} Others have its roles.`,
          }
    }),
    ...health.networks.flatMap(({ network, status, rateLimit }) => [
      ...errors(status === 'down', `${name(network)} does not answer`, 'Check its RPC URLs.', '/'),
      ...warnings(
        rateLimit !== undefined,
        `${name(network)} limits our requests`,
        `The provider asks to wait ${rateLimit} seconds.`,
        '/',
      ),
    ]),
    ...relayers.flatMap(({ network, address, balance, oldestAt }) => [
      ...errors(
        balance !== null && BigInt(balance) < lowBalance,
        `A relayer on ${name(network)} is nearly empty`,
        `Fund ${address}.`,
        '/',
      ),
      ...warnings(
        isOld(oldestAt === null ? null : new Date(oldestAt)),
        `A relayer on ${name(network)} waits for a transaction`,
        `The oldest of ${address} is older than two minutes.`,
        '/operations?state=waiting',
      ),
    ]),
    ...waiting.flatMap(({ network, count, oldestAt }) =>
      warnings(
        isOld(oldestAt),
        `Operations wait on ${name(network)}`,
        `In no block: ${counted(count, 'operation')}; the oldest was signed more than two minutes ago.`,
        '/operations?state=waiting',
      ),
    ),
    ...lostGas.flatMap(({ network, wei }) =>
      warnings(
        wei > 0n,
        `Relayers lost gas on ${name(network)}`,
        `Reverted bundles cost ${wei} wei in the last day.`,
        '/',
      ),
    ),
    ...exposure.flatMap(({ network, liquidity, reserved }) =>
      warnings(
        liquidity !== null && liquidity <= reserved,
        `No liquidity is left on ${name(network)}`,
        'New orders there are refused.',
        '/balance',
      ),
    ),
    ...warnings(
      facts.failingWebhooks > 0,
      'Webhooks fail',
      facts.failingWebhooks === 1
        ? 'An endpoint did not accept its last deliveries.'
        : `${facts.failingWebhooks} endpoints did not accept their last deliveries.`,
      '/webhooks',
    ),
    ...warnings(
      facts.disabledWebhooks > 0,
      'Webhooks are disabled',
      facts.disabledWebhooks === 1
        ? 'An endpoint gets no events since its receiver failed for days or answered 410.'
        : `${facts.disabledWebhooks} endpoints get no events since their receivers failed for days or answered 410.`,
      '/webhooks',
    ),
    ...warnings(
      facts.suspensions > 0,
      'Callers are suspended from sponsorship',
      `Open: ${counted(facts.suspensions, 'suspension')}.`,
      '/policies',
    ),
  ]
}
