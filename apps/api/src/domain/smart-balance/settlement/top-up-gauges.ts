import type { Address } from 'viem'
import type { GaugeReading } from '../../../platform/metrics/metrics.ts'
import { withReadTimeout } from '../../../platform/timeouts/with-read-timeout.ts'
import { readGasDeposit } from '../orders/gas-deposit.ts'
import type { SmartBalanceServices } from '../services.ts'
import type { BalanceNetwork } from './networks.ts'
import { sumTopUps } from './top-up-contents.ts'

interface ToppedUp {
  readonly on: BalanceNetwork
  readonly address: Address
}

/** A gauge of networks; those that do not answer are absent. */
function addNetworkGauge<N extends { readonly on: BalanceNetwork }>(
  metrics: Pick<SmartBalanceServices['metrics'], 'addGauge'>,
  all: readonly N[],
  gauge: { readonly name: string; readonly help: string; read(one: N): Promise<bigint> },
): void {
  if (all.length === 0) return
  metrics.addGauge({
    name: gauge.name,
    help: gauge.help,
    labels: ['network'],
    async read() {
      const readings = await Promise.all(
        all.map((one): Promise<GaugeReading[]> => {
          const { network } = one.on
          return withReadTimeout(network, gauge.read(one)).then(
            (value) => [{ labels: { network: network.chainId }, value: Number(value) }],
            () => [],
          )
        }),
      )
      return readings.flat()
    },
  })
}

/** The deposit from which SmartBalance pays gas. It matters whether or not a key tops it up. */
export const addGasDepositGauge = (
  { metrics }: Pick<SmartBalanceServices, 'metrics'>,
  networks: readonly BalanceNetwork[],
): void =>
  addNetworkGauge(
    metrics,
    networks.map((on) => ({ on })),
    {
      name: 'gas_deposit_wei',
      help: 'Deposit of SmartBalance in EntryPoint, which pays for gas',
      read: ({ on }) => readGasDeposit(on.network, on.contract.address),
    },
  )

/** The balance of the account that tops up the deposit, and what it has spent. */
export function addTopUpGauges(
  { metrics, database, now }: Pick<SmartBalanceServices, 'metrics' | 'database' | 'now'>,
  all: readonly ToppedUp[],
): void {
  addNetworkGauge(metrics, all, {
    name: 'top_up_balance_wei',
    help: 'Native balance of the key that fills the gas deposit',
    read: ({ on, address }) => on.network.call((client) => client.getBalance({ address })),
  })
  addNetworkGauge(metrics, all, {
    name: 'topped_up_wei',
    help: 'Top-ups of the gas deposit signed within the last hour',
    read: ({ on }) => sumTopUps(database, { network: on.network.chainId, now: now() }),
  })
}
