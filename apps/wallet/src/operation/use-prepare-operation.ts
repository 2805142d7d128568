import type { Call } from '@lanyard/accounts'
import { useCancellableMutation } from '../api/use-cancellable-mutation.ts'
import type { Network } from '../networks/use-networks.ts'
import { useSession } from '../sign-in/session-context.tsx'
import { prepareOperation } from './prepare-operation.ts'

/** Prepares an operation for review. Pass its `data` to `OperationReview`. */
export function usePrepareOperation() {
  const session = useSession()
  return useCancellableMutation({
    mutationFn: (signal, { network, calls }: { network: Network; calls: readonly Call[] }) =>
      prepareOperation(session, network, calls, signal),
  })
}
