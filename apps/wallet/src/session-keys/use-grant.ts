import { functionsOf } from '@lanyard/session-keys'
import { useCancellableMutation } from '../api/use-cancellable-mutation.ts'
import { rememberFunctions } from '../operation/known-functions.ts'
import { prepareOperation } from '../operation/prepare-operation.ts'
import { useSession } from '../sign-in/session-context.tsx'
import { type GrantRequest, planGrant } from './plan-grant.ts'
import type { SessionKeysNetwork } from './session-keys-network.ts'

/** Prepares a grant for review. Pass its `data` to `OperationReview`. */
export function useGrant() {
  const session = useSession()
  return useCancellableMutation({
    mutationFn: async (
      signal,
      { network, request }: { network: SessionKeysNetwork; request: GrantRequest },
    ) => {
      const calls = await planGrant(session.account, network, request, signal)
      rememberFunctions(functionsOf(request.permissions))
      return prepareOperation(session, network, calls, signal)
    },
  })
}
