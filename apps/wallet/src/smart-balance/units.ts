import type { Currency } from '../amounts/currency.ts'
import { type Network, type SmartBalance, smartBalanceDecimals } from '../networks/use-networks.ts'

/** Base units of a network's token for one 6-decimal unit. */
const scaleOf = ({ token }: Pick<SmartBalance, 'token'>) =>
  10n ** BigInt(token.decimals - smartBalanceDecimals)

/**
 * Converts base units of the token to units of 6 decimals, rounded down: a smaller amount cannot be
 * deposited.
 */
export const toUnits = (smartBalance: Pick<SmartBalance, 'token'>, tokens: bigint): bigint =>
  tokens / scaleOf(smartBalance)

/** Converts units of 6 decimals to base units of the token. */
export const toTokens = (smartBalance: Pick<SmartBalance, 'token'>, units: bigint): bigint =>
  units * scaleOf(smartBalance)

/** The unit of combined balance amounts: all networks have the same settlement token. */
export function unitOf(networks: readonly Network[], chainId?: number): Currency {
  const taking = networks.filter(({ smartBalance }) => smartBalance)
  const network = taking.find((candidate) => candidate.chainId === chainId) ?? taking[0]
  return network?.smartBalance?.unit ?? { symbol: '', decimals: smartBalanceDecimals }
}
