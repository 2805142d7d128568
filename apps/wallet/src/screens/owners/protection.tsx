import { useGuardedNetworks } from '../../guardians/guardian.ts'
import { rich, t } from '../../i18n/t.ts'
import { doNotAnswer } from '../../networks/do-not-answer.ts'
import { nameNetworks } from '../../networks/name-networks.ts'
import type { Network } from '../../networks/use-networks.ts'
import { toCandidate } from '../../owners/owner-candidate.ts'
import type { OwnerChange } from '../../owners/owner-change.ts'
import { useUnfinishedRemovals } from '../../owners/unfinished-removals.ts'
import type { Ownership } from '../../owners/use-owners.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'

interface ProtectionProps {
  readonly ownership: Ownership
  readonly networks: readonly Network[]
  readonly onChange: (change: OwnerChange) => void
}

/** On a phone, the form is below the list. */
function goToForm() {
  const heading = document.getElementById('add-owner')
  heading?.scrollIntoView({ block: 'start' })
  heading?.focus({ preventScroll: true })
}

/** The networks on which losing the passkey would lose the account, with a button to protect them. */
export function Protection({ ownership, networks, onChange }: ProtectionProps) {
  const { known, down, owners } = ownership
  const guarded = useGuardedNetworks() ?? []
  const unprotected = ownership.unprotected.filter((chainId) => !guarded.includes(chainId))
  const removals = useUnfinishedRemovals()
  // An owner that already protects some networks can be added on the others in one run.
  const second = owners
    .filter(
      ({ address, chainIds }) =>
        !removals.has(address.toLowerCase()) && unprotected.some((chainId) => !chainIds.includes(chainId)),
    )
    .map(toCandidate)
    .find((candidate) => candidate !== undefined)
  return (
    <>
      {unprotected.length > 0 && (
        <Notice
          tone="warning"
          title={
            unprotected.length === known.length
              ? t('Your account is unprotected.')
              : t('Unprotected on {networks}.', { networks: nameNetworks(unprotected, networks) })
          }
          action={
            <Button
              variant="secondary"
              size="small"
              onClick={() => (second ? onChange({ kind: 'add', candidate: second }) : goToForm())}
            >
              {second ? t('Protect all networks') : t('Add a second owner')}
            </Button>
          }
        >
          {rich(
            'Your passkey works only at {hostname}. If you lose it, or this site goes away, nobody can move your funds. Add a second owner.',
            { hostname: location.hostname },
          )}
        </Notice>
      )}
      {down.length > 0 && (
        <Notice tone="warning">
          {rich('{outage}. Owners there are not shown.', { outage: doNotAnswer(down, networks) })}
        </Notice>
      )}
    </>
  )
}
