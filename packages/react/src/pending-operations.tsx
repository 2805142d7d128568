import { useEffect, useSyncExternalStore } from 'react'
import type { Hex } from 'viem'
import { useLanyardContext } from './lanyard-context.ts'
import type { SignedOperation } from './operation-store.ts'
import { useOperation } from './use-operation.ts'

const none: readonly SignedOperation[] = []

/** The operations signed in this browser that are not known to have ended. They survive a reload. */
export function usePendingOperations(): readonly SignedOperation[] {
  const { operations } = useLanyardContext()
  return useSyncExternalStore(operations.subscribe, operations.pending, () => none)
}

/** Tracks pending operations of this page, an earlier page or another tab. Renders nothing. */
export function PendingOperations() {
  return usePendingOperations().map(({ userOpHash }) => <Follow key={userOpHash} userOpHash={userOpHash} />)
}

function Follow({ userOpHash }: { readonly userOpHash: Hex }) {
  const { queryClient, service } = useLanyardContext()
  useOperation(userOpHash)
  // This component unmounts when the operation has ended, whichever tab notices it first.
  useEffect(
    () => () => void queryClient.invalidateQueries({ queryKey: ['lanyard', service, 'balance'] }),
    [queryClient, service],
  )
  return null
}
