import type { GuardianSet } from '@lanyard/accounts'
import { Button, Card, ListSkeleton, locale } from '@lanyard/ui'
import { isAddressEqual } from 'viem'
import { guardianName, useGuardians } from '../../guardians/guardian.ts'
import { delayText } from '../../guardians/guardian-draft.ts'
import { rich, t } from '../../i18n/t.ts'
import { doNotAnswer, nameNetworks } from '../../networks/name-networks.ts'
import type { Network } from '../../networks/use-networks.ts'
import { answerLoss, type LossAnswer, overviewOfSet } from '../../owners/loss-answer.ts'
import type { OwnerChange } from '../../owners/owner-change.ts'
import { useUnfinishedRemovals } from '../../owners/unfinished-removals.ts'
import { type Ownership, withoutLeaving } from '../../owners/use-owners.ts'
import { useRecipientNames } from '../../recipients/known-recipients.ts'
import { useSession } from '../../sign-in/session-context.tsx'
import { toCandidate } from '../../signers/signer-kinds.ts'
import { type Held, LossTable, useHeld } from './loss-table.tsx'

interface LossCardProps {
  readonly guardians: GuardianSet | undefined
  /** Networks on which they are in force. */
  readonly chainIds: readonly number[]
  readonly ownership: Ownership
  readonly networks: readonly Network[]
  readonly onChange: (change: OwnerChange) => void
  readonly onAdd: () => void
}

/** The answer to "if I lose this passkey today", its proof for each network, and what helps where the account is lost. */
export function LossCard({ guardians, chainIds, ownership, networks, onChange, onAdd }: LossCardProps) {
  const { account } = useSession()
  const { data, error } = useGuardians(account)
  const contacts = useRecipientNames()
  const held = useHeld()
  const removals = useUnfinishedRemovals()
  const overview = data ?? (error ? overviewOfSet(account, chainIds, ownership) : undefined)
  // A network that does not answer takes seconds.
  if (!overview) return <ListSkeleton label={t('Looking what you could lose')} />
  const answer = answerLoss(overview, withoutLeaving(ownership, removals))
  const members = (guardians?.members ?? []).map(
    (member) =>
      overview.guardians.find(({ guardian }) => isAddressEqual(guardian, member)) ?? {
        guardian: member,
        kind: 'unknown' as const,
        networks: overview.networks.map(({ network }) => ({ network, status: 'down' as const })),
      },
  )
  const { lost } = answer
  const isCovered = answer.networks.every(({ state }) => state !== 'lost' && state !== 'other')
  // An owner that already protects some networks can be added on the others in one run.
  const second = ownership.owners
    .filter(
      ({ address, chainIds: of }) =>
        !removals.has(address.toLowerCase()) && lost.some((chainId) => !of.includes(chainId)),
    )
    .map(toCandidate)
    .find((candidate) => candidate !== undefined)
  return (
    <Card aria-labelledby="loss" className="overflow-hidden">
      <div className="grid gap-1.5 p-5">
        <p className="text-muted text-sm">{t('If you lose this passkey today')}</p>
        <h2
          id="loss"
          className={`text-balance font-semibold text-2xl tracking-tight ${isCovered ? '' : 'text-cord-ink'}`}
        >
          {titleOf(answer, networks, held)}
        </h2>
        {guardians && answer.delay !== undefined && (
          <p className="text-sm">
            {sentenceOf(
              guardians,
              members.map((member) => guardianName(member, contacts)),
              answer.delay,
            )}
          </p>
        )}
        {lost.length > 0 && (
          <>
            <p className="text-sm">
              {lost.every((chainId) => chainIds.includes(chainId))
                ? t('Too few of your guardians can sign today. Below it says why, and what helps.')
                : rich(
                    'Your passkey works only at {hostname}. If you lose it, or this site goes away, nobody can move your funds. Add a second owner.',
                    { hostname: location.hostname },
                  )}
            </p>
            <Button
              variant="secondary"
              size="small"
              className="mt-1 justify-self-start"
              onClick={() => (second ? onChange({ kind: 'add', candidate: second }) : onAdd())}
            >
              {second ? t('Protect all networks') : t('Add a second owner')}
            </Button>
          </>
        )}
        {ownership.down.length > 0 && (
          <p className="text-cord-ink text-sm">
            {rich('{outage}. Owners there are not shown.', { outage: doNotAnswer(ownership.down, networks) })}
          </p>
        )}
      </div>
      <LossTable answer={answer} members={members} networks={networks} held={held} />
    </Card>
  )
}

function sentenceOf({ threshold, members }: GuardianSet, names: readonly string[], delay: number): string {
  const [only] = names
  if (only && members.length === 1)
    return t('{name} must sign for your new passkey. After that, an owner has {delay} to cancel.', {
      name: only,
      delay: delayText(delay),
    })
  // Read aloud, more than four names are no sentence.
  if (members.length > 4)
    return t(
      '{threshold} of {count, plural, one {# guardian} other {# guardians}} must sign for your new passkey. After that, an owner has {delay} to cancel.',
      { threshold, count: members.length, delay: delayText(delay) },
    )
  const all = new Intl.ListFormat(locale).format(names)
  if (threshold === members.length)
    return t('{names} must sign together for your new passkey. After that, an owner has {delay} to cancel.', {
      names: all,
      delay: delayText(delay),
    })
  return t(
    '{threshold} of {names} must sign for your new passkey. After that, an owner has {delay} to cancel.',
    { threshold, names: all, delay: delayText(delay) },
  )
}

function titleOf(
  { lost, delay, networks: states }: LossAnswer,
  networks: readonly Network[],
  held: Held,
): string {
  const where = nameNetworks(lost, networks)
  const amounts = lost.map((chainId) => held.get(chainId))
  const isEmpty = amounts.every((amount) => amount?.length === 0)
  if (lost.length > 0 && lost.length === states.length)
    return isEmpty
      ? t('You could not return to this account, where you have nothing yet.')
      : t('You lose everything in this account.')
  if (lost.length > 0) {
    if (isEmpty)
      return t('You could not return to {networks}, where you have nothing yet.', { networks: where })
    const [only] = amounts
    return only && amounts.length === 1
      ? t('You lose {amounts} on {networks}.', {
          amounts: new Intl.ListFormat(locale).format(only),
          networks: where,
        })
      : t('You lose what you have on {networks}.', { networks: where })
  }
  const others = states.flatMap(({ state, network }) => (state === 'other' ? [network] : []))
  if (others.length > 0)
    return t('On {networks}, other people could give your account to a new passkey.', {
      networks: nameNetworks(others, networks),
    })
  if (states.some(({ state }) => state === 'unknown')) return t('Not every network says what would happen.')
  return delay === undefined
    ? t('You lose nothing: another owner remains.')
    : t('You get everything back in about {delay}.', { delay: delayText(delay) })
}
