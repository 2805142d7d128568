import { useQuery } from '@tanstack/react-query'
import { trpc } from '../api/trpc.ts'
import { useIsLive } from '../events/stream-health.ts'
import { useNetworks } from '../networks/use-networks.ts'
import { useSession } from '../session/session-context.tsx'

/** One network's part of the combined balance, in 6-decimals units. */
export interface Deposit {
  readonly chainId: number
  /** All that is deposited, what exits included. */
  readonly balance: bigint
  /** What can be spent now. */
  readonly available: bigint
  /** Held by orders that are not settled. */
  readonly reserved: bigint
  readonly exiting: bigint
  readonly exitReadyAt: string | undefined
  /** False: no owner's key is pinned there, so it can be spent on its own network only. */
  readonly pinned: boolean
}

/** The combined balance by network. */
export interface Deposits {
  readonly deposits: readonly Deposit[]
  /** Networks that do not answer; what is deposited there is missing above. */
  readonly unavailable: readonly number[]
}

/** What can be spent on any network. */
export const spendableOf = ({ deposits }: Deposits): bigint =>
  deposits.reduce((sum, { available, pinned }) => (pinned ? sum + available : sum), 0n)

/** @throws what the service throws. */
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

/** Milliseconds: what was deposited counts once it is final. */
const pollInterval = 5_000

/** The combined balance, kept up to date; idle where no network has one. */
export function useDeposits() {
  const { account } = useSession()
  const isLive = useIsLive()
  const { data: networks } = useNetworks()
  return useQuery({
    queryKey: ['deposits', account],
    queryFn: ({ signal }) => fetchDeposits(account, signal),
    enabled: networks?.some(({ smartBalance }) => smartBalance) ?? false,
    refetchInterval: isLive ? false : pollInterval,
  })
}
