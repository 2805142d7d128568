import type { SignedUserOperation } from '@lanyard/accounts'
import type { Network } from '@lanyard/networks'
import { isOfDelegatedAccount } from '../entry-point/entry-point.ts'
import { type ExternalPart, findExternalSenders } from './canonical-senders.ts'

/** What this process last read of senders, so that plans do not repeat what a simulation has refused. */
export interface ExternalSenders {
  /** The foreign part of a sender when it was last read; undefined if it had none. */
  readonly partOf: (sender: string) => ExternalPart | undefined
  /**
   * Reads the senders of operations now.
   *
   * @returns the foreign ones, by sender in lower case
   */
  readonly read: (operations: readonly SignedUserOperation[]) => Promise<ReadonlyMap<string, ExternalPart>>
}

/** Older ones are forgotten: they only cost a simulation more. */
const maxRemembered = 10_000

export function createExternalSenders(network: Network): ExternalSenders {
  const known = new Map<string, ExternalPart>()
  return {
    partOf: (sender) => known.get(sender.toLowerCase()),
    async read(operations) {
      // What delegated EOAs run is checked by their code (`readDelegations`).
      const others = operations.filter((operation) => !isOfDelegatedAccount(operation))
      const external = await findExternalSenders(network, others)
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
  { externalSenders }: { readonly externalSenders: ExternalSenders },
  batch: readonly { readonly operation: SignedUserOperation }[],
): (
  stored: { readonly operation: SignedUserOperation },
  external: ReadonlyMap<string, ExternalPart>,
) => boolean {
  const [only, ...others] = batch
  const isAlone =
    only !== undefined && others.length === 0 && externalSenders.partOf(only.operation.sender) !== undefined
  return ({ operation }, external) => isAlone || !external.has(operation.sender.toLowerCase())
}
