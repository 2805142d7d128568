import type { Currency } from '../amounts/currency.ts'
import { type Network, type SmartBalance, smartBalanceDecimals } from '../networks/use-networks.ts'

/** Base units of a network's token for one 6-decimals unit. */
const scaleOf = ({ token }: Pick<SmartBalance, 'token'>) =>
  10n ** BigInt(token.decimals - smartBalanceDecimals)

/** The token's own units as 6-decimals units, rounded down: less than one of them cannot be deposited. */
export const toUnits = (smartBalance: Pick<SmartBalance, 'token'>, tokens: bigint): bigint =>
  tokens / scaleOf(smartBalance)

/** 6-decimals units in the token's own. */
export const toTokens = (smartBalance: Pick<SmartBalance, 'token'>, units: bigint): bigint =>
  units * scaleOf(smartBalance)

/** What amounts of the combined balance count: the settlement token is one on all networks. */
export function unitOf(networks: readonly Network[], chainId?: number): Currency {
  const taking = networks.filter(({ smartBalance }) => smartBalance)
  const network = taking.find((candidate) => candidate.chainId === chainId) ?? taking[0]
  return network?.smartBalance?.unit ?? { symbol: '', decimals: smartBalanceDecimals }
}
