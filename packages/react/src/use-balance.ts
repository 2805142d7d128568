import type { UseQueryResult } from '@tanstack/react-query'
import { type Address, getAddress } from 'viem'
import { useLanyardContext } from './lanyard-context.ts'
import { LanyardReactError } from './react-error.ts'
import { hasDecimals } from './safe-values.ts'
import { useAccount } from './use-account.ts'
import { useServiceQuery } from './use-service-query.ts'

/** What an account holds on one network. */
export interface Balance {
  /** wei */
  readonly native: bigint
  /** The settlement token, and other tokens that the operator configured. */
  readonly tokens: readonly {
    readonly address: Address
    readonly symbol: string
    readonly decimals: number
    /** In the token's base units. */
    readonly balance: bigint
  }[]
  /** False until the account's first operation. An undeployed account can already receive money. */
  readonly deployed: boolean
}

export interface UseBalanceParameters {
  /** Chain id. Default: the provider's. */
  readonly network?: number
}

/** Milliseconds between polls. */
const pollInterval = 15_000

/** The holdings of the signed-in account, read every 15 seconds and after each operation. */
export function useBalance({
  network: own,
}: UseBalanceParameters = {}): UseQueryResult<Balance, LanyardReactError> {
  const { network: usual } = useLanyardContext()
  const walletAddress = useAccount()?.address
  const network = own ?? usual
  return useServiceQuery({
    key: ['balance', walletAddress, network],
    read: async (client, options): Promise<Balance> => {
      const { balances } = await client.wallet.balances({ walletAddress: walletAddress ?? '' }, options)
      const balance = balances.find((one) => one.network === String(network))
      if (!balance) throw new LanyardReactError('UNKNOWN_NETWORK', unknownNetwork(network))
      if (!balance.available || balance.native === null)
        throw new LanyardReactError('NETWORK_UNAVAILABLE', unavailable)
      const tokens = balance.tokens.filter(hasDecimals).map((token) => ({
        ...token,
        address: getAddress(token.address),
        balance: BigInt(token.balance),
      }))
      return { native: BigInt(balance.native), tokens, deployed: balance.deployed }
    },
    enabled: walletAddress !== undefined,
    pollInterval,
  })
}

const unknownNetwork = (network: number) => ({
  what: `The service has no network ${network}.`,
  advice: 'Pass one that the service lists in GET /networks.',
})

const unavailable = { what: 'The network is not responding.', advice: 'It will be retried in 15 seconds.' }
