import { formatEther } from 'viem'
import type { Exposure } from '../../domain/smart-balance/settlement/exposure.ts'
import { counted } from '../../platform/counted.ts'
import type { DeadProcess } from './find-dead.ts'
import type { RelayerView } from './read-relayers.ts'

/** Something that an operator may have to act on. */
export interface Concern {
  readonly level: 'error' | 'warning'
  readonly title: string
  /** The cause, the consequence, and the remedy if it is not a link. */
  readonly text: string
  /** ISO time of its beginning; null if it is not known. */
  readonly since: string | null
  /** Where the console shows what it is about: a label and a path. */
  readonly link: { readonly label: string; readonly to: string } | null
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
  readonly deliveringWebhooks: number
  /** By the service: nobody accepted their deliveries for days, or the receiver answered 410. */
  readonly disabledWebhooks: number
  readonly suspensions: number
  readonly exposure: readonly Exposure[]
  /** wei of the last day, by network. */
  readonly lostGas: readonly { readonly network: number; readonly wei: bigint; readonly symbol: string }[]
}

/** Milliseconds after which a waiting operation or transaction is not usual any more. */
const longWait = 2 * 60_000

/** wei below which a relayer can pay for few more bundles: a hundredth of a coin. */
const lowBalance = 10n ** 16n

/** Seconds. Funding a relayer may need people who are asleep. */
const shortTime = 86_400

const waitingOperations = (network: number) => ({
  label: 'Show the operations',
  to: `/operations?state=waiting&network=${network}`,
})

/** What the stored state and the networks show now. Rules with a duration are the business of Prometheus. */
export function findConcerns(facts: Facts): readonly Concern[] {
  const { now, networkNames, health, dead, relayers, waiting, exposure, lostGas } = facts
  const name = (network: number) => networkNames.get(network) ?? `network ${network}`
  const isOld = (at: Date | null) => at !== null && now.getTime() - at.getTime() > longWait
  const when = (
    condition: boolean,
    concern: Omit<Concern, 'since' | 'link'> & Partial<Concern>,
  ): Concern[] => (condition ? [{ since: null, link: null, ...concern }] : [])
  return [
    ...when(health.database === 'down', {
      level: 'error',
      title: 'The database does not answer',
      text: 'Nothing can be submitted. Check DATABASE_URL and the server.',
    }),
    ...dead.map(({ roles, host, seenAt, missing }): Concern => {
      const shared = { since: seenAt, link: null }
      return missing.length > 0
        ? {
            ...{ ...shared, level: 'error', title: `No process has the role ${missing.join(', ')}` },
            text: `The last one, on ${host}, ended without stopping. What it did waits. Start another one.`,
          }
        : {
            ...{ ...shared, level: 'warning', title: `A process with the role ${roles.join(', ')} is dead` },
            text: `It was on ${host}, and ended without stopping. Others have its roles.`,
          }
    }),
    ...health.networks.flatMap(({ network, status, rateLimit }) => [
      ...when(status === 'down', {
        level: 'error',
        title: `${name(network)} does not answer`,
        text: 'Operations there wait. Check its RPC URLs.',
        link: waitingOperations(network),
      }),
      ...when(rateLimit !== undefined, {
        level: 'warning',
        title: `${name(network)} limits our requests`,
        text: `The provider asks to wait ${rateLimit} seconds. Add another RPC URL, or a larger plan.`,
      }),
    ]),
    ...relayers.flatMap((relayer) => concernsOf(relayer, name(relayer.network), isOld)),
    ...waiting.flatMap(({ network, count, oldestAt }) =>
      when(isOld(oldestAt), {
        level: 'warning',
        title: `Operations wait on ${name(network)}`,
        text: `In no block: ${counted(count, 'operation')}. The oldest was signed more than two minutes ago.`,
        since: oldestAt?.toISOString() ?? null,
        link: waitingOperations(network),
      }),
    ),
    ...lostGas.flatMap(({ network, wei, symbol }) =>
      when(wei > 0n, {
        level: 'warning',
        title: `Relayers lost gas on ${name(network)}`,
        text: `Reverted bundles cost ${formatEther(wei)} ${symbol} in the last day.`,
        link: { label: 'Show what reverted', to: `/operations?state=reverted&network=${network}` },
      }),
    ),
    ...exposure.flatMap(({ network, liquidity, reserved }) =>
      when(liquidity !== null && liquidity <= reserved, {
        level: 'warning',
        title: `No liquidity is left on ${name(network)}`,
        text: 'New orders there are refused. Add liquidity, or wait for what is collected.',
        link: { label: 'Show the smart balance', to: '/balance' },
      }),
    ),
    ...when(facts.failingWebhooks > 0, {
      level: 'warning',
      title: 'Webhooks fail',
      text:
        facts.failingWebhooks === 1
          ? 'An endpoint did not accept its last deliveries. They are repeated.'
          : `${facts.failingWebhooks} endpoints did not accept their last deliveries. They are repeated.`,
      link: { label: 'Show the webhooks', to: '/webhooks' },
    }),
    ...when(facts.disabledWebhooks > 0, {
      level: 'warning',
      title: 'Webhooks are disabled',
      text:
        facts.disabledWebhooks === 1
          ? 'An endpoint gets no events since its receiver failed for days or answered 410.'
          : `${facts.disabledWebhooks} endpoints get no events since their receivers failed for days or answered 410.`,
      link: { label: 'Show the webhooks', to: '/webhooks' },
    }),
    ...when(facts.suspensions > 0, {
      level: 'warning',
      title: 'Callers are suspended from sponsorship',
      text: `Open: ${counted(facts.suspensions, 'suspension')}. They pay their own gas until then.`,
      link: { label: 'Show the suspensions', to: '/policies' },
    }),
  ]
}

function concernsOf(
  { network, address, symbol, balance, lasts, spent, earned, oldestAt }: RelayerView,
  name: string,
  isOld: (at: Date | null) => boolean,
): Concern[] {
  const fund = `Send ${symbol} to ${address}.`
  const concerns: Concern[] = []
  if (balance !== null && BigInt(balance) < lowBalance) {
    concerns.push({
      ...{ level: 'error', title: `A relayer on ${name} is nearly empty`, since: null, link: null },
      text: `It has ${formatEther(BigInt(balance))} ${symbol}. Payments on ${name} wait once it is empty. ${fund}`,
    })
  } else if (balance !== null && lasts !== null && lasts < shortTime) {
    const lost = formatEther(BigInt(spent) - BigInt(earned))
    concerns.push({
      ...{ level: 'warning', title: `A relayer on ${name} runs out of ${symbol} within a day` },
      ...{ since: null, link: null },
      text: `It has ${formatEther(BigInt(balance))} ${symbol} and lost ${lost} in the last day. Payments on ${name} wait once it is empty. ${fund}`,
    })
  }
  if (oldestAt !== null && isOld(new Date(oldestAt))) {
    concerns.push({
      ...{ level: 'warning', title: `A relayer on ${name} waits for a transaction`, since: oldestAt },
      text: `The oldest of ${address} is in no block after two minutes. What it carries waits.`,
      link: waitingOperations(network),
    })
  }
  return concerns
}

/** What is as it should be, each in a few words. What has a concern is not in it. */
export function findWell(facts: Facts): readonly string[] {
  const { now, health, relayers, waiting } = facts
  const isOld = (at: string | Date | null) => at !== null && now.getTime() - new Date(at).getTime() > longWait
  const up = health.networks.filter(({ status, rateLimit }) => status === 'up' && rateLimit === undefined)
  const rich = relayers.filter(
    ({ balance, lasts }) =>
      balance !== null && BigInt(balance) >= lowBalance && (lasts === null || lasts >= shortTime),
  )
  const say = (condition: boolean, text: string) => (condition ? [text] : [])
  return [
    ...say(up.length > 0, `${counted(up.length, 'network')} ${up.length === 1 ? 'answers' : 'answer'}`),
    ...say(
      rich.length > 0,
      `${counted(rich.length, 'relayer')} ${rich.length === 1 ? 'has' : 'have'} enough`,
    ),
    ...say(
      facts.deliveringWebhooks > 0,
      `${counted(facts.deliveringWebhooks, 'webhook')} ${facts.deliveringWebhooks === 1 ? 'delivers' : 'deliver'}`,
    ),
    ...say(health.database === 'up', 'The database answers'),
    ...say(
      !waiting.some(({ oldestAt }) => isOld(oldestAt)) && !relayers.some(({ oldestAt }) => isOld(oldestAt)),
      'Nothing waits for long',
    ),
  ]
}
