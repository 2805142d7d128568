import type { Hash } from 'viem'
import type { LanyardContextValue } from '../lanyard-context.ts'

/** Remembers that an operation has ended, and has balances looked at again. */
export function endOperation(
  { operations, queryClient, service }: LanyardContextValue,
  userOpHash: Hash,
): void {
  operations.end(userOpHash)
  void queryClient.invalidateQueries({ queryKey: ['lanyard', service, 'balance'] })
}
