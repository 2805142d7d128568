import { useQuery } from '@tanstack/react-query'
import { trpc } from '../api/trpc.ts'
import { useSession } from '../sign-in/session-context.tsx'

/**
 * The current maximum cost of a plain operation of the account in wei, as a reference for a session's fee
 * limit.
 */
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
