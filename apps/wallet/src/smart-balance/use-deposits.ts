import type { Currency } from '@lanyard/calls'
import { type SmartBalance, smartBalanceDecimals } from '@lanyard/calls'
import { useQuery } from '@tanstack/react-query'
import { trpc } from '../api/trpc.ts'
import { useIsLive } from '../events/stream-health.ts'
import { hasSmartBalance, type Network, useNetworks } from '../networks/use-networks.ts'
import { useSession } from '../sign-in/session-context.tsx'

/** One network's part of the combined balance, in units of 6 decimals. */
export interface Deposit {
  readonly chainId: number
  /** The whole deposit, including exits. */
  readonly balance: bigint
  /** The amount that can be spent now. */
  readonly available: bigint
  /** The amount reserved by unsettled orders. */
  readonly reserved: bigint
  readonly exiting: bigint
  readonly exitReadyAt: string | undefined
  /** False if no owner's key is pinned there, so it can be spent on its own network only. */
  readonly pinned: boolean
}

/** The combined balance by network. */
export interface Deposits {
  readonly deposits: readonly Deposit[]
  /** Networks that do not answer. Their deposits are missing above. */
  readonly unavailable: readonly number[]
}

/** The amount that can be spent on any network. */
export const spendableOf = ({ deposits }: Deposits): bigint =>
  deposits.reduce((sum, { available, pinned }) => (pinned ? sum + available : sum), 0n)

/** @throws errors of the service */
async function fetchDeposits(account: `0x${string}`, signal: AbortSignal): Promise<Deposits> {
  const { deposits, unavailable = [] } = await trpc.smartBalance.deposits.query(
    { walletAddress: account },
    { signal },
  )
  return {
    unavailable,
    deposits: deposits.map(({ network, balance, available, reserved, exiting, exitReadyAt, pinned }) => ({
      chainId: network,
      balance: BigInt(balance),
      available: BigInt(available),
      reserved: BigInt(reserved),
      exiting: BigInt(exiting),
      exitReadyAt,
      pinned,
    })),
  }
}

/** Milliseconds. A deposit counts once it is final. */
const pollInterval = 5_000

/** The combined balance, kept up to date. Idle if no network has one. */
export function useDeposits() {
  const { account } = useSession()
  const isLive = useIsLive()
  const { data: networks } = useNetworks()
  return useQuery({
    queryKey: ['deposits', account],
    queryFn: ({ signal }) => fetchDeposits(account, signal),
    enabled: networks?.some(hasSmartBalance) ?? false,
    refetchInterval: isLive ? false : pollInterval,
  })
}

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
