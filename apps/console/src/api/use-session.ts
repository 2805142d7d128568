import { useQuery } from '@tanstack/react-query'
import { sessionKey } from './query-client.ts'
import { trpc } from './trpc.ts'

/** Who is signed in; null for nobody. */
export const useSession = () =>
  useQuery({
    queryKey: sessionKey,
    queryFn: () => trpc.session.current.query(),
    refetchInterval: 60_000,
  })
