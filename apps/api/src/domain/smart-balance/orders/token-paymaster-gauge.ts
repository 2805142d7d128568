import { entryPointsOf, entryPointV08, type Networks } from '@lanyard/networks'
import { predictTokenPaymasterAddress } from '@lanyard/onchain'
import type { Metrics } from '../../../platform/metrics/metrics.ts'
import { withReadTimeout } from '../../../platform/timeouts.ts'
import type { GasPolicy } from '../../gas-policies/gas-policy.ts'
import { readDeposit } from '../../gas-policies/read-deposit.ts'
import { listOffers } from './list-token-fees.ts'

/** What TokenPaymaster has in each EntryPoint to pay gas with, where a policy takes tokens. Networks that do not answer are absent. */
export function addTokenPaymasterGauge(
  {
    metrics,
    networks,
  }: { readonly metrics: Pick<Metrics, 'addGauge'>; readonly networks: Pick<Networks, 'list'> },
  policies: () => readonly GasPolicy[],
): void {
  metrics.addGauge({
    name: 'token_paymaster_deposit_wei',
    help: 'Deposit of TokenPaymaster in EntryPoint, which pays for gas where accounts pay in tokens',
    labels: ['network', 'entry_point'],
    async read() {
      const offering = new Set(listOffers(networks, policies()).map(({ network }) => network))
      const paymasters = [...offering].flatMap((network) =>
        entryPointsOf(network.config).map((entryPoint) => ({ network, entryPoint })),
      )
      const readings = await Promise.all(
        paymasters.map(async ({ network, entryPoint }) => {
          const { smartBalance } = network.config
          if (!smartBalance) return []
          const paymaster = predictTokenPaymasterAddress({ entryPoint, smartBalance })
          const version = entryPoint === entryPointV08 ? 'v0.8' : 'v0.7'
          const labels = { network: network.chainId, entry_point: version }
          return withReadTimeout(network, readDeposit(network, entryPoint, paymaster)).then(
            (value) => [{ labels, value: Number(value) }],
            () => [],
          )
        }),
      )
      return readings.flat()
    },
  })
}
