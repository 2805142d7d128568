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

/**
 * The deposit from which SmartBalance pays gas, and the balance of the account that tops it up. Networks that
 * do not answer are absent.
 */
export function addTopUpGauges(
  { metrics, database, now }: Pick<SmartBalanceServices, 'metrics' | 'database' | 'now'>,
  all: readonly ToppedUp[],
): void {
  if (all.length === 0) return
  const add = (name: string, help: string, read: (one: ToppedUp) => Promise<bigint>) =>
    metrics.addGauge({
      name,
      help,
      labels: ['network'],
      async read() {
        const readings = await Promise.all(
          all.map((one): Promise<GaugeReading[]> => {
            const { network } = one.on
            return withReadTimeout(network, read(one)).then(
              (value) => [{ labels: { network: network.chainId }, value: Number(value) }],
              () => [],
            )
          }),
        )
        return readings.flat()
      },
    })
  add('gas_deposit_wei', 'Deposit of SmartBalance in EntryPoint, which pays for gas', ({ on }) =>
    readGasDeposit(on.network, on.contract.address),
  )
  add('top_up_balance_wei', 'Native balance of the key that fills the gas deposit', ({ on, address }) =>
    on.network.call((client) => client.getBalance({ address })),
  )
  add('topped_up_wei', 'Top-ups of the gas deposit signed within the last hour', ({ on }) =>
    sumTopUps(database, { network: on.network.chainId, now: now() }),
  )
}
