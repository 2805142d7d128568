import { useQuery } from '@tanstack/react-query'
import { trpc } from '../api/trpc.ts'
import { useSession } from '../session/session-context.tsx'

/** The most that a plain operation of the account costs at the moment, wei; a measure for a session's fees. */
export function useOperationFee(chainId: number) {
  const { account } = useSession()
  return useQuery({
    queryKey: ['operation-fee', account, chainId],
    queryFn: async ({ signal }) => {
      const { result } = await trpc.smartAccount.gasFees.mutate(
        {
          network: chainId,
          walletAddress: account,
          transactionDetails: [{ targetContractAddress: account, value: '0', encodedData: '0x' }],
        },
        { signal },
      )
      return BigInt(result)
    },
    staleTime: 60_000,
  })
}
