import type { Call } from '@lanyard/accounts'
import { useMutation } from '@tanstack/react-query'
import type { Network } from '../networks/use-networks.ts'
import { useSession } from '../session/session-context.tsx'
import { prepareOperation } from './prepare-operation.ts'

/** Prepares an operation for review; its `data` is what to hand to `OperationReview`. */
export function usePrepareOperation() {
  const session = useSession()
  return useMutation({
    mutationFn: ({ network, calls }: { network: Network; calls: readonly Call[] }) =>
      prepareOperation(session, network, calls),
  })
}
