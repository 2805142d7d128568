import { getAddress } from 'viem'
import { groupBy } from '../group-by.ts'
import { useLanyardContext } from '../lanyard-context.ts'
import { fill, type Texts } from '../texts.ts'
import { useAccount } from '../use-account.ts'
import { useNetworks } from '../use-networks.ts'
import { useGuardians, useOwners } from '../use-owners.ts'
import { useTexts } from '../use-texts.ts'
import { shortAddress } from './address.tsx'
import { ErrorMessage } from './error-message.tsx'

export interface GuardiansProps {
  readonly className?: string
  /** Other words. */
  readonly texts?: Texts
}

/**
 * Who can sign for the signed-in account, who can recover it, and where they cannot. Changes are made in the service's wallet,
 * which shows what each network will accept. Renders nothing for others.
 */
export function Guardians({ className = '', texts }: GuardiansProps) {
  const account = useAccount()
  const { service } = useLanyardContext()
  const owners = useOwners()
  const guardians = useGuardians()
  const { data: known } = useNetworks()
  const say = useTexts(texts)
  if (!account) return null
  const nameOf = (id: number) => known?.find(({ network }) => network === id)?.name ?? String(id)
  const namesOf = (ids: readonly number[]) => ids.map(nameOf).join(', ')

  const read = owners.data?.networks.filter(({ status }) => status === 'up') ?? []
  const unread = owners.data?.networks.filter(({ status }) => status === 'down') ?? []
  const found = groupBy(
    read.flatMap(({ network, owners: list = [] }) => list.map((owner) => ({ network, ...owner }))),
    ({ address }) => address.toLowerCase(),
  )
  // One sentence says how many are needed, if that is so on every network that answered.
  const sets = (guardians.data?.networks ?? [])
    .filter(({ status }) => status === 'up')
    .map(({ current }) => current?.guardians)
  const [first] = sets
  const set = sets.every((other) => JSON.stringify(other) === JSON.stringify(first)) ? first : undefined
  return (
    <div
      aria-busy={(!owners.data && !owners.error) || (!guardians.data && !guardians.error)}
      className={`lanyard lanyard-stack ${className}`}
    >
      <p className="lanyard-day">{say.owners}</p>
      <ErrorMessage error={owners.error} texts={texts} />
      <ul className="lanyard-list" aria-label={say.owners}>
        {[...found.values()].map((same) => (
          <li key={same[0]?.address} className="lanyard-entry">
            <span className="lanyard-grow">
              <span>{same[0]?.label ?? say[same[0]?.kind ?? 'unknown']}</span>
              <span className="lanyard-hint">
                {same.length === read.length
                  ? say.everywhere
                  : fill(say.onSome, { networks: namesOf(same.map(({ network }) => network)) })}
              </span>
            </span>
          </li>
        ))}
      </ul>
      {unread.length > 0 && (
        <p className="lanyard-hint">
          {fill(say.unread, { networks: namesOf(unread.map(({ network }) => network)) })}
        </p>
      )}
      <p className="lanyard-day">{say.guardians}</p>
      <ErrorMessage error={guardians.error} texts={texts} />
      {guardians.data?.guardians.length === 0 && <p className="lanyard-muted">{say.noGuardians}</p>}
      {set && (
        <p className="lanyard-muted">
          {fill(say.guardiansHelp, { threshold: set.threshold, count: set.members.length })}
        </p>
      )}
      <ul className="lanyard-list" aria-label={say.guardians}>
        {guardians.data?.guardians.map(({ guardian, username, kind, networks }) => {
          const isRead = networks.some(({ status }) => status === 'up')
          const cannot = networks.filter(({ status, problem }) => status === 'up' && problem !== undefined)
          return (
            <li key={guardian} className="lanyard-entry">
              <span className="lanyard-grow">
                <span title={guardian}>
                  {username ?? `${say[kind]} ${shortAddress(getAddress(guardian))}`}
                </span>
                <span className="lanyard-hint" data-state={cannot.length > 0 || !isRead ? 'waiting' : 'done'}>
                  {cannot.length > 0
                    ? fill(say.cannotSign, { networks: namesOf(cannot.map(({ network }) => network)) })
                    : isRead
                      ? say.canSign
                      : fill(say.unread, { networks: namesOf(networks.map(({ network }) => network)) })}
                </span>
              </span>
            </li>
          )
        })}
      </ul>
      <a
        className="lanyard-button lanyard-quiet"
        href={`${service}/protection`}
        target="_blank"
        rel="noopener"
      >
        {say.change}
      </a>
    </div>
  )
}
