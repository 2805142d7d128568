import type { EndpointResult, endpoints } from '@lanyard/contracts'
import type { FeeToken, Network, Networks, TokenRate } from '@lanyard/networks'
import type { Logger } from 'pino'
import type { AllowingPolicy, GasPolicy, TokenCharge } from '../../gas-policies/gas-policy.ts'
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
  const charging = policies.filter(isCharging)
  const offers = networks.list().flatMap((network) =>
    charging.flatMap((policy) => {
      const { charge } = policy
      if (policy.networks && !policy.networks.has(network.chainId)) return []
      const token = network.feeTokens.find(({ symbol }) => symbol === charge.token)
      return token && network.config.smartBalance ? [{ network, policy, token }] : []
    }),
  )
  const entries = await Promise.all(
    offers.map(({ network, policy, token }) =>
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
