import { useEffect, useSyncExternalStore } from 'react'
import type { Hex } from 'viem'
import { useLanyardContext } from './lanyard-context.ts'
import type { SignedOperation } from './operation-store.ts'
import { useOperation } from './use-operation.ts'

const none: readonly SignedOperation[] = []

/** The operations that were signed in this browser and whose end is not known yet; a reload keeps them. */
export function usePendingOperations(): readonly SignedOperation[] {
  const { operations } = useLanyardContext()
  return useSyncExternalStore(operations.subscribe, operations.pending, () => none)
}

/** Follows what this page, an earlier one or another tab left under way. Shows nothing. */
export function PendingOperations() {
  return usePendingOperations().map(({ userOpHash }) => <Follow key={userOpHash} userOpHash={userOpHash} />)
}

function Follow({ userOpHash }: { readonly userOpHash: Hex }) {
  const { queryClient, service } = useLanyardContext()
  useOperation(userOpHash)
  // It unmounts when the operation has ended, whichever tab sees that first.
  useEffect(
    () => () => void queryClient.invalidateQueries({ queryKey: ['lanyard', service, 'balance'] }),
    [queryClient, service],
  )
  return null
}
