import type { ForeignPart, SignedUserOperation } from '@lanyard/accounts'
import type { Network } from '@lanyard/networks'
import { findForeignSenders } from './foreign-senders.ts'

/** What this process last read of senders, so that plans do not repeat what a simulation has refused. */
export interface RememberedSenders {
  /** The foreign part of a sender when it was last read; undefined if it had none. */
  readonly partOf: (sender: string) => ForeignPart | undefined
  /**
   * Reads the senders of operations now.
   *
   * @returns the foreign ones, by sender in lower case
   */
  readonly read: (operations: readonly SignedUserOperation[]) => Promise<ReadonlyMap<string, ForeignPart>>
}

/** Older ones are forgotten: they only cost a simulation more. */
const maxRemembered = 10_000

export function createRememberedSenders(network: Network): RememberedSenders {
  const known = new Map<string, ForeignPart>()
  return {
    partOf: (sender) => known.get(sender.toLowerCase()),
    async read(operations) {
      const external = await findForeignSenders(network, operations)
      for (const { sender } of operations) known.delete(sender.toLowerCase())
      for (const [sender, part] of external) known.set(sender, part)
      for (const [oldest] of known) {
        if (known.size <= maxRemembered) break
        known.delete(oldest)
      }
      return external
    },
  }
}

/**
 * Whether operations stay in a bundle whose senders are read now: foreign ones only if the plan has left them alone,
 * because it knew them. Otherwise the next plan does, and looks at what they owe.
 */
export function mayStayInBundle(
  { rememberedSenders }: { readonly rememberedSenders: RememberedSenders },
  batch: readonly { readonly operation: SignedUserOperation }[],
): (
  stored: { readonly operation: SignedUserOperation },
  external: ReadonlyMap<string, ForeignPart>,
) => boolean {
  const [only, ...others] = batch
  const isAlone =
    only !== undefined && others.length === 0 && rememberedSenders.partOf(only.operation.sender) !== undefined
  return ({ operation }, external) => isAlone || !external.has(operation.sender.toLowerCase())
}
