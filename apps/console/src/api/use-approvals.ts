import { useQuery } from '@tanstack/react-query'
import { useMay } from './may.ts'
import { trpc } from './trpc.ts'
import { useSession } from './use-session.ts'

/** Acts that wait for a second person, where the service has such acts. */
export function useApprovals() {
  const { data } = useSession()
  const may = useMay('support')
  return useQuery({
    queryKey: ['approvals'],
    queryFn: () => trpc.approvals.list.query(),
    refetchInterval: 30_000,
    enabled: may && data?.hasApprovals === true,
  })
}
