import { sumTransfers } from '@lanyard/bundler'
import type { Database } from '@lanyard/database'
import type { Network } from '@lanyard/networks'
import type { Kysely } from 'kysely'
import type { LocalAccount } from 'viem'
import { withReadTimeout } from '../timeouts.ts'
import type { GaugeReading, Metrics } from './metrics.ts'

interface Filled {
  readonly network: Network
  readonly account: Pick<LocalAccount, 'address'>
}

/** What the treasury has, and what it has sent to relayers. Networks that do not answer are absent. */
export function addTreasuryGauges(
  {
    metrics,
    database,
    now,
  }: { readonly metrics: Metrics; readonly database: Kysely<Database>; readonly now: () => Date },
  all: readonly Filled[],
): void {
  metrics.addGauge({
    name: 'treasury_balance_wei',
    help: 'Native balance of the treasury that fills up relayers; absent while the network does not answer',
    labels: ['network'],
    read: async () => (await Promise.all(all.map(readBalance))).flat(),
  })
  metrics.addGauge({
    name: 'refilled_wei',
    help: 'What refills of relayers that were signed within the last hour can cost at most',
    labels: ['network'],
    read: () =>
      Promise.all(
        all.map(async ({ network: { chainId: network } }) => ({
          labels: { network },
          value: Number(await sumTransfers(database, 'relayer_refills', { network, now: now() })),
        })),
      ),
  })
}

const readBalance = ({ network, account: { address } }: Filled): Promise<GaugeReading[]> =>
  withReadTimeout(
    network,
    network.call((client) => client.getBalance({ address })),
  ).then(
    (balance) => [{ labels: { network: network.chainId }, value: Number(balance) }],
    () => [],
  )
