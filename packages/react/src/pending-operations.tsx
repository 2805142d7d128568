import { useSyncExternalStore } from 'react'
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

/** Follows what an earlier page left under way. Shows nothing. */
export function PendingOperations() {
  return usePendingOperations().map(({ userOpHash }) => <Follow key={userOpHash} userOpHash={userOpHash} />)
}

function Follow({ userOpHash }: { readonly userOpHash: Hex }) {
  useOperation(userOpHash)
  return null
}
