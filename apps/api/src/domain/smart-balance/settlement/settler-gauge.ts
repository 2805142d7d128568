import type { Address } from 'viem'
import type { Metrics } from '../../../platform/metrics/metrics.ts'
import { withReadTimeout } from '../../../platform/timeouts/with-read-timeout.ts'
import type { BalanceNetwork } from './networks.ts'

/** The settler's balance for gas. Networks that do not answer are absent. */
export function addSettlerGauge(
  metrics: Metrics,
  settlers: readonly { readonly on: BalanceNetwork; readonly address: Address }[],
): void {
  metrics.addGauge({
    name: 'settler_balance_wei',
    help: 'Native balance of the settler, which pays for settlements',
    labels: ['network'],
    async read() {
      const balances = await Promise.all(
        settlers.map(({ on: { network }, address }) =>
          withReadTimeout(
            network,
            network.call((client) => client.getBalance({ address })),
          ).catch(() => undefined),
        ),
      )
      return settlers.flatMap(({ on: { network } }, index) => {
        const balance = balances[index]
        return balance === undefined ? [] : [{ labels: { network: network.chainId }, value: Number(balance) }]
      })
    },
  })
}
