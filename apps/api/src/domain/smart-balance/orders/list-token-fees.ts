import type { EndpointResult, endpoints } from '@lanyard/contracts'
import type { FeeToken, Network, Networks, TokenRate } from '@lanyard/networks'
import type { Logger } from 'pino'
import { createFailureLog, type FailureLog } from '../../../platform/log/failure-log.ts'
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
  const entries = await Promise.all(
    listOffers(networks, policies).map(({ network, policy, token }) =>
      token.rate().then(
        (rate) => toEntry(network, policy, token, rate),
        (error: unknown) => {
          const { chainId } = network
          const fields = { network: chainId, token: token.symbol }
          failuresOf(log).warn(`${chainId} ${token.symbol}`, error, fields, 'a rate cannot be read')
          return undefined
        },
      ),
    ),
  )
  return entries.filter((entry) => entry !== undefined)
}

const failureLogs = new WeakMap<object, FailureLog>()

/** It outlives the requests: while a source is down, each of them would otherwise write a line. */
function failuresOf(log: Dependencies['log']): FailureLog {
  const failures = failureLogs.get(log) ?? createFailureLog(log)
  failureLogs.set(log, failures)
  return failures
}

/** The tokens that policies take on each of their networks. */
export const listOffers = (networks: Pick<Networks, 'list'>, policies: readonly GasPolicy[]) =>
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
