import type { LanyardClient } from '@lanyard/client'
import { type Address, formatUnits, isAddressEqual, parseUnits } from 'viem'
import { AgentError } from './agent-error.ts'
import type { AgentSettings } from './settings.ts'

/** What an amount is counted in: a network's coin, or a token. */
export interface Currency {
  readonly symbol: string
  readonly decimals: number
  /** Absent: the network's coin. */
  readonly address?: Address
}

export interface AgentNetwork {
  readonly network: number
  readonly name: string
  /** The coin first. */
  readonly currencies: readonly Currency[]
  readonly rpcUrl?: string
  readonly explorerUrl?: string
}

/**
 * The networks where the account can have sessions, with the tokens that the agent can count.
 *
 * @throws AgentError if the service names another SessionKeys contract than the pinned one
 */
export async function readNetworks(
  lanyard: LanyardClient,
  { sessionKeys, tokens }: Pick<AgentSettings, 'sessionKeys' | 'tokens'>,
): Promise<readonly AgentNetwork[]> {
  const { networks } = await lanyard.system.networks()
  return networks.flatMap((one) => {
    if (one.sessionKeys === null) return []
    if (!isAddressEqual(one.sessionKeys as Address, sessionKeys)) {
      throw new AgentError(
        `The service names ${one.sessionKeys} as the SessionKeys contract of network ${one.network}, and this agent trusts ${sessionKeys}. Ask the person who runs the agent.`,
      )
    }
    const { settlementToken: token } = one
    const own: Currency[] = token ? [{ ...token, address: token.address as Address }] : []
    const further = tokens.filter(
      ({ network, address }) =>
        network === one.network &&
        !own.some((other) => other.address && isAddressEqual(other.address, address)),
    )
    const { symbol, decimals } = one.nativeCurrency
    const currencies = [{ symbol, decimals }, ...own, ...further]
    const { rpcUrl, explorerUrl } = one
    return [
      {
        ...{ network: one.network, name: one.name, currencies },
        ...(rpcUrl !== undefined && { rpcUrl }),
        ...(explorerUrl !== undefined && { explorerUrl }),
      },
    ]
  })
}

/** @throws AgentError if there is no such network */
export function findNetwork(networks: readonly AgentNetwork[], id: number): AgentNetwork {
  const found = networks.find(({ network }) => network === id)
  if (found) return found
  const known = networks.map(({ network, name }) => `${network} (${name})`).join(', ') || 'none'
  throw new AgentError(`There is no network ${id} here. Networks with session keys: ${known}.`)
}

/**
 * Finds a currency by its symbol, or by the token's address.
 *
 * @throws AgentError if the network has no such currency, or two of that symbol
 */
export function findCurrency({ currencies, name }: AgentNetwork, token: string): Currency {
  const wanted = token.toLowerCase()
  const found = currencies.filter(
    ({ symbol, address }) => symbol.toLowerCase() === wanted || address?.toLowerCase() === wanted,
  )
  const [first, second] = found
  if (first && !second) return first
  const known = currencies
    .map(({ symbol, address }) => (address ? `${symbol} (${address})` : symbol))
    .join(', ')
  const problem = first ? `Two tokens are called ${token}. Give the address` : `${token} is not known`
  throw new AgentError(`${problem}. On ${name} there are: ${known}.`)
}

/** The currency of an on-chain allowance; one that the agent cannot count has no decimals. */
export const currencyOfAllowance = (
  { currencies }: AgentNetwork,
  token: string | undefined,
): Currency | undefined =>
  currencies.find(({ address }) => (address?.toLowerCase() ?? undefined) === token?.toLowerCase())

/**
 * Converts a decimal amount to base units, exactly.
 *
 * @throws AgentError for zero, and for more decimals than the currency has
 */
export function toBaseUnits(amount: string, { decimals, symbol }: Currency): bigint {
  const [, fraction = ''] = amount.split('.')
  if (fraction.replace(/0+$/, '').length > decimals) {
    throw new AgentError(`${symbol} has ${decimals} decimals, and ${amount} has more.`)
  }
  const units = parseUnits(amount, decimals)
  if (units === 0n) throw new AgentError('The amount is 0.')
  return units
}

/** An amount as people read it, such as `12.5 USDC`. */
export const showAmount = (units: bigint, { decimals, symbol }: Currency): string =>
  `${formatUnits(units, decimals)} ${symbol}`
