import type { EndpointResult, endpoints } from '@lanyard/contracts'
import {
  entryPointsOf,
  entryPointV08,
  type FeeToken,
  type Network,
  type Networks,
  type TokenRate,
} from '@lanyard/networks'
import { predictTokenPaymasterAddress } from '@lanyard/onchain'
import type { Logger } from 'pino'
import type { Metrics } from '../../../platform/metrics/metrics.ts'
import { withReadTimeout } from '../../../platform/timeouts.ts'
import type { AllowingPolicy, GasPolicy, TokenCharge } from '../../gas-policies/gas-policy.ts'
import { readDeposit } from '../../gas-policies/read-deposit.ts'
import { isPlausible, withMarkup } from './token-fee.ts'

type TokenFeeEntry = EndpointResult<typeof endpoints.gas.tokens>['tokens'][number]

interface Dependencies {
  readonly networks: Pick<Networks, 'list'>
  readonly log: Pick<Logger, 'warn'>
}

/** The tokens that policies take on each of their networks, with their rates now. A rate that cannot be read is left out. */
export async function listTokenFees(
  { networks, log }: Dependencies,
  policies: readonly GasPolicy[],
): Promise<readonly TokenFeeEntry[]> {
  const entries = await Promise.all(
    listOffers(networks, policies).map(({ network, policy, token }) =>
      token.rate().then(
        (rate) => toEntry(network, policy, token, rate),
        (error: unknown) => {
          log.warn({ err: error, network: network.chainId, token: token.symbol }, 'A rate cannot be read')
          return undefined
        },
      ),
    ),
  )
  return entries.filter((entry) => entry !== undefined)
}

/** What TokenPaymaster has in each EntryPoint to pay gas with, where a policy takes tokens. Networks that do not answer are absent. */
export function addTokenPaymasterGauge(
  { metrics, networks }: { readonly metrics: Pick<Metrics, 'addGauge'> } & Pick<Dependencies, 'networks'>,
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

const listOffers = (networks: Pick<Networks, 'list'>, policies: readonly GasPolicy[]) =>
  networks.list().flatMap((network) =>
    policies.filter(isCharging).flatMap((policy) => {
      if (policy.networks && !policy.networks.has(network.chainId)) return []
      const token = network.feeTokens.find(({ symbol }) => symbol === policy.charge.token)
      return token && network.config.smartBalance ? [{ network, policy, token }] : []
    }),
  )

type ChargingPolicy = AllowingPolicy & { readonly charge: TokenCharge }

const isCharging = (policy: GasPolicy): policy is ChargingPolicy =>
  policy.effect === 'allow' && policy.charge !== undefined

function toEntry(
  { chainId }: Network,
  { id, charge }: ChargingPolicy,
  { address, symbol, decimals }: FeeToken,
  { rate, at, source }: TokenRate,
): TokenFeeEntry | undefined {
  if (!isPlausible(charge, decimals, rate)) return undefined
  return {
    ...{ network: chainId, policy: id, token: address, symbol, decimals, source },
    rate: String(withMarkup(rate, charge)),
    markup: charge.markup,
    ...(at !== undefined && { at: new Date(at * 1000).toISOString() }),
  }
}
