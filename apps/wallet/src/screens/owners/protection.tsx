import { doNotAnswer } from '../../networks/do-not-answer.ts'
import { nameNetworks } from '../../networks/name-networks.ts'
import type { Network } from '../../networks/use-networks.ts'
import type { Ownership } from '../../owners/use-owners.ts'
import { Notice } from '../../ui/notice.tsx'

/** Where losing the passkey would lose the account. */
export function Protection({ ownership, networks }: { ownership: Ownership; networks: readonly Network[] }) {
  const { unprotected, known, down } = ownership
  return (
    <>
      {unprotected.length > 0 && (
        <Notice
          tone="warning"
          title={
            unprotected.length === known.length
              ? 'Your account is unprotected.'
              : `Unprotected on ${nameNetworks(unprotected, networks)}.`
          }
        >
          A passkey works only at {location.hostname}. If it is lost, or this address goes away, nobody can
          move what is in the account. Add a recovery owner. Owners are kept on each network, so you sign once
          on each.
        </Notice>
      )}
      {down.length > 0 && (
        <Notice tone="warning">{doNotAnswer(down, networks)}. Owners there are not shown.</Notice>
      )}
    </>
  )
}
