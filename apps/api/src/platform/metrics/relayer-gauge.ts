import type { Network } from '@lanyard/networks'
import type { Address } from 'viem'
import { withReadTimeout } from '../timeouts.ts'
import type { GaugeReading, Metrics } from './metrics.ts'

/** An account that pays for bundles on a network. */
export interface Relayer {
  readonly network: Network
  readonly address: Address
}

/** The relayers' counters, and their balances for bundles. Networks that do not answer are absent. */
export function addRelayerGauge(metrics: Metrics, relayers: readonly Relayer[]): void {
  for (const { network, address } of relayers)
    metrics.announce('relayer', { network: network.chainId, relayer: address })
  metrics.addGauge({
    name: 'relayer_balance_wei',
    help: 'Native balance of a relayer, which pays for bundles; absent while the network does not answer',
    labels: ['network', 'relayer'],
    read: async () => (await Promise.all(relayers.map(readBalance))).flat(),
  })
}

const readBalance = ({ network, address }: Relayer): Promise<GaugeReading[]> =>
  withReadTimeout(
    network,
    network.call((client) => client.getBalance({ address })),
  ).then(
    (balance) => [{ labels: { network: network.chainId, relayer: address }, value: Number(balance) }],
    () => [],
  )
