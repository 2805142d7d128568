import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { type Address, getAddress } from 'viem'
import { callService } from './actions/call-service.ts'
import { useLanyardContext } from './lanyard-context.ts'
import { LanyardReactError, toReactError } from './react-error.ts'
import { useAccount } from './use-account.ts'

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
  const { service, client, network: usual } = useLanyardContext()
  const account = useAccount()
  const network = own ?? usual
  return useQuery<Balance, LanyardReactError>({
    queryKey: ['lanyard', service, 'balance', account?.address, network],
    queryFn: async ({ signal }) => {
      if (!account) throw new LanyardReactError('SIGNED_OUT')
      const request = client.wallet.balances({ walletAddress: account.address }, { signal })
      const answer = await callService(request).catch((error: unknown) => {
        throw toReactError(error, service)
      })
      const balance = answer.balances.find((one) => one.network === String(network))
      if (!balance) throw new LanyardReactError('UNKNOWN_NETWORK', unknownNetwork(network))
      if (!balance.available || balance.native === null)
        throw new LanyardReactError('NETWORK_UNAVAILABLE', unavailable)
      const tokens = balance.tokens.map((token) => ({
        ...token,
        address: getAddress(token.address),
        balance: BigInt(token.balance),
      }))
      return { native: BigInt(balance.native), tokens, deployed: balance.deployed }
    },
    enabled: account !== undefined,
    networkMode: 'always',
    // The next poll comes soon enough.
    retry: false,
    refetchInterval: pollInterval,
  })
}

const unknownNetwork = (network: number) => ({
  what: `The service has no network ${network}.`,
  advice: 'Pass one that the service lists in GET /networks.',
})

const unavailable = { what: 'The network is not responding.', advice: 'It will be retried in 15 seconds.' }
