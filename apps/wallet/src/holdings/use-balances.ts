import type { Currency } from '@lanyard/calls'
import { useQuery } from '@tanstack/react-query'
import { type Address, isAddressEqual, zeroAddress } from 'viem'
import { trpc } from '../api/trpc.ts'
import { useIsLive } from '../events/stream-health.ts'
import type { Network } from '../networks/use-networks.ts'
import { useSession } from '../sign-in/session-context.tsx'
import { rememberEarlyReceipt } from './early-receipts.ts'

/** The account's holdings on one network, in base units. */
export interface NetworkBalance {
  readonly chainId: number
  /** False if the network does not answer; the fields below are then unknown. */
  readonly available: boolean
  readonly deployed: boolean
  readonly native: bigint | undefined
  readonly tokens: readonly { readonly address: `0x${string}`; readonly balance: bigint }[]
}

/** The balance in a currency. Undefined if it is unknown. */
export function balanceOf(balance: NetworkBalance | undefined, { token }: Currency): bigint | undefined {
  if (!balance?.available) return undefined
  if (!token) return balance.native
  return balance.tokens.find(({ address }) => isAddressEqual(address, token))?.balance
}

/** Milliseconds between polls. */
const pollInterval = 15_000

/**
 * The account's balances on every network, kept up to date. Native value sent to an undeployed account leaves
 * no log, so no event reports it. The balances are therefore always polled until the account is deployed.
 */
export function useBalances() {
  const { account } = useSession()
  const isLive = useIsLive()
  return useQuery({
    queryKey: ['balances', account],
    queryFn: async ({ signal }): Promise<readonly NetworkBalance[]> => {
      const { balances } = await trpc.wallet.balances.query({ walletAddress: account }, { signal })
      const held = balances.map(({ network, available, deployed, native, tokens }) => ({
        chainId: Number(network),
        available,
        deployed,
        native: native === null ? undefined : BigInt(native),
        tokens: tokens.map(({ address, balance }) => ({ address, balance: BigInt(balance) })),
      }))
      const seenAt = new Date().toISOString()
      for (const { chainId, available, deployed, native } of held)
        if (available && !deployed && native)
          rememberEarlyReceipt(account, { chainId, amount: native, seenAt })
      return held
    },
    refetchInterval: ({ state: { data } }) =>
      isLive && data?.some(({ deployed }) => deployed) ? false : pollInterval,
  })
}

/**
 * What the account holds of a token on a network (zero address: the native currency), in base units. The
 * function returns undefined if that is unknown.
 */
export function useHoldings({ chainId, currencies }: Network): (token: Address) => bigint | undefined {
  const { data } = useBalances()
  const balance = data?.find((candidate) => candidate.chainId === chainId)
  return (token) => {
    const currency = currencies.find((known) => isAddressEqual(known.token ?? zeroAddress, token))
    return currency && balanceOf(balance, currency)
  }
}
