import { Button, Card, FullAddress, Identicon, Notice, Tag } from '@lanyard/ui'
import { rich, t } from '../../i18n/t.ts'
import { nameNetworks } from '../../networks/name-networks.ts'
import type { Network } from '../../networks/use-networks.ts'
import type { OwnerChange } from '../../owners/owner-change.ts'
import { endRemoval, useUnfinishedRemovals } from '../../owners/unfinished-removals.ts'
import type { Owner, Ownership } from '../../owners/use-owners.ts'
import { useSession } from '../../sign-in/session-context.tsx'
import { labelOf, toCandidate } from '../../signers/signer-kinds.ts'

interface OwnerListProps {
  readonly ownership: Ownership
  readonly networks: readonly Network[]
  readonly onChange: (change: OwnerChange) => void
  readonly onReplace: (owner: Owner) => void
}

/** The current owners of the account. */
export function OwnerList({ ownership, networks, onChange, onReplace }: OwnerListProps) {
  return (
    <Card aria-labelledby="owners">
      <h2 id="owners" className="border-line border-b px-5 py-4 font-semibold">
        {t('Owners now')}
      </h2>
      <ul className="divide-y divide-line">
        {ownership.owners.map((owner) => (
          <OwnerRow
            key={owner.address}
            owner={owner}
            ownership={ownership}
            networks={networks}
            onChange={onChange}
            onReplace={onReplace}
          />
        ))}
      </ul>
    </Card>
  )
}

interface OwnerRowProps {
  readonly owner: Owner
  readonly ownership: Ownership
  readonly networks: readonly Network[]
  readonly onChange: (change: OwnerChange) => void
  readonly onReplace: (owner: Owner) => void
}

/** One owner: its kind, its networks, and the available actions. */
function OwnerRow({ owner, ownership, networks, onChange, onReplace }: OwnerRowProps) {
  const everywhere = owner.chainIds.length === ownership.known.length
  const candidate = toCandidate(owner)
  const isSessions = owner.kind === 'sessions'
  const removable = !isSessions && owner.chainIds.every((chainId) => !ownership.unprotected.includes(chainId))
  const kind = isSessions ? t('Session keys contract') : labelOf(owner.kind)
  const name = owner.label ?? kind
  const { account, credentialId } = useSession()
  const isLeaving = useUnfinishedRemovals().has(owner.address.toLowerCase())
  return (
    <li className="grid gap-2 p-5">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h3 className="font-medium">{name}</h3>
        {owner.label && owner.label !== kind && <span className="text-muted text-sm">{kind}</span>}
        {credentialId !== undefined && owner.credentialId === credentialId && (
          <Tag>{t('You signed in with it')}</Tag>
        )}
        {everywhere ? (
          <Tag tone="good">
            {ownership.down.length > 0 ? t('On every network that responds') : t('On every network')}
          </Tag>
        ) : (
          <Tag tone="waiting">
            {rich('Only on {networks}', { networks: nameNetworks(owner.chainIds, networks) })}
          </Tag>
        )}
      </div>
      <span className="flex items-center gap-2.5">
        <Identicon address={owner.address} className="size-8" />
        <FullAddress address={owner.address} />
      </span>
      {isLeaving && (
        <Notice
          tone="warning"
          title={t('This owner is only partly removed. It can still act on {networks}.', {
            networks: nameNetworks(owner.chainIds, networks),
          })}
          action={
            <Button variant="secondary" size="small" onClick={() => endRemoval(account, owner.address)}>
              {t('Keep this owner')}
            </Button>
          }
        />
      )}
      {isSessions && (
        <p className="text-muted text-sm">
          {t(
            'Acts only within the limits of your session keys. You can remove it when you revoke the last one.',
          )}
        </p>
      )}
      <div className="mt-1 flex flex-wrap gap-2 empty:hidden">
        {!everywhere && !isLeaving && candidate && (
          <Button variant="secondary" size="small" onClick={() => onChange({ kind: 'add', candidate })}>
            {t('Add it on the other networks')}
          </Button>
        )}
        {!isSessions && !isLeaving && (
          <Button
            variant="secondary"
            size="small"
            aria-label={`${t('Replace')} ${name} ${owner.address}`}
            onClick={() => onReplace(owner)}
          >
            {t('Replace')}
          </Button>
        )}
        {removable && (
          <Button
            variant="secondary"
            size="small"
            aria-label={`${isLeaving ? t('Finish removing') : t('Remove')} ${name} ${owner.address}`}
            onClick={() => onChange({ kind: 'remove', owner: owner.address })}
          >
            {isLeaving ? t('Finish removing') : t('Remove')}
          </Button>
        )}
      </div>
    </li>
  )
}
