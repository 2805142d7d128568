import type { GuardianSet } from '@lanyard/accounts'
import { Check, CircleDashed } from 'lucide-react'
import { isAddressEqual } from 'viem'
import { canSign, type Guardian, useGuardians } from '../../guardians/guardian.ts'
import { delayText } from '../../guardians/guardian-draft.ts'
import { answerLoss, type LossAnswer } from '../../guardians/loss-answer.ts'
import { t } from '../../i18n/t.ts'
import { nameNetworks } from '../../networks/name-networks.ts'
import type { Network } from '../../networks/use-networks.ts'
import { useOwners } from '../../owners/use-owners.ts'
import { useRecipientNames } from '../../recipients/use-recipient-names.ts'
import { useSession } from '../../sign-in/session-context.tsx'
import { Card } from '../../ui/card.tsx'
import { escapeText } from '../../ui/escape-text.ts'
import { NetworkMark } from '../../ui/network-mark.tsx'
import { shortAddress } from '../../ui/short-address.ts'
import { Tag } from '../../ui/tag.tsx'

interface LossCardProps {
  readonly guardians: GuardianSet | undefined
  readonly networks: readonly Network[]
}

/** The answer to "if I lose this passkey today", and its proof: a row a network, a column a guardian. */
export function LossCard({ guardians, networks }: LossCardProps) {
  const { account } = useSession()
  const { data: overview } = useGuardians(account)
  const { data: ownership } = useOwners()
  if (!overview || !ownership) return null
  const answer = answerLoss(overview, ownership)
  const members = (guardians?.members ?? []).flatMap(
    (member) => overview.guardians.find(({ guardian }) => isAddressEqual(guardian, member)) ?? [],
  )
  const isLost = answer.lost.length > 0
  return (
    <Card aria-labelledby="loss" className="grid gap-4 p-5">
      <div className="grid gap-1.5">
        <p className="text-muted text-sm">{t('If you lose this passkey today')}</p>
        <h2 id="loss" className={`font-semibold text-2xl tracking-tight ${isLost ? 'text-cord-ink' : ''}`}>
          {titleOf(answer, networks)}
        </h2>
        {guardians && answer.delay !== undefined && (
          <p className="text-sm">
            {t(
              '{threshold} of {count, plural, one {# guardian} other {# guardians}} must sign for your new passkey. Then {delay} pass, in which an owner can cancel.',
              {
                threshold: guardians.threshold,
                count: guardians.members.length,
                delay: delayText(answer.delay),
              },
            )}
          </p>
        )}
      </div>
      <ul className="divide-y divide-line border-line border-t" aria-label={t('Networks')}>
        {answer.networks.map(({ network: chainId, state }) => {
          const name = nameNetworks([chainId], networks)
          return (
            <li key={chainId} className="grid gap-2 pt-3 pb-3 sm:flex sm:items-center sm:gap-4">
              <span className="flex min-w-32 flex-1 items-center gap-2 font-medium">
                <NetworkMark chainId={chainId} name={name} />
                {name}
              </span>
              <Members members={members} chainId={chainId} />
              <span className="sm:w-36 sm:text-right">
                <Tag tone={states[state].tone}>{states[state].label}</Tag>
              </span>
            </li>
          )
        })}
      </ul>
    </Card>
  )
}

function Members({ members, chainId }: { members: readonly Guardian[]; chainId: number }) {
  const contacts = useRecipientNames()
  if (members.length === 0) return null
  return (
    <ul className="flex flex-wrap gap-x-4 gap-y-1" aria-label={t('Guardians')}>
      {members.map((guardian) => {
        const { guardian: address, username } = guardian
        const isAble = canSign(guardian, chainId)
        const Icon = isAble ? Check : CircleDashed
        const name = username
          ? escapeText(username, 64)
          : (contacts.get(address.toLowerCase()) ?? shortAddress(address))
        return (
          <li key={address} className="flex items-center gap-1.5 text-sm">
            <Icon className={`size-4 ${isAble ? 'text-accent' : 'text-cord-ink'}`} aria-hidden="true" />
            <span className="wrap-anywhere">{name}</span>
            <span className="sr-only">{isAble ? t('can sign here') : t('cannot sign here yet')}</span>
          </li>
        )
      })}
    </ul>
  )
}

function titleOf({ lost, delay, networks: states }: LossAnswer, networks: readonly Network[]): string {
  if (lost.length > 0 && lost.length === states.length) return t('You lose everything in this account.')
  if (lost.length > 0)
    return t('You lose what you have on {networks}.', { networks: nameNetworks(lost, networks) })
  if (states.some(({ state }) => state === 'unknown')) return t('Not every network says what would happen.')
  return delay === undefined
    ? t('You lose nothing: another owner remains.')
    : t('You get everything back in about {delay}.', { delay: delayText(delay) })
}

const states: Readonly<
  Record<LossAnswer['networks'][number]['state'], { label: string; tone: 'neutral' | 'waiting' | 'good' }>
> = {
  owner: { label: t('Another owner'), tone: 'good' },
  ready: { label: t('Ready'), tone: 'good' },
  tight: { label: t('Ready, none to spare'), tone: 'waiting' },
  lost: { label: t('Not covered'), tone: 'waiting' },
  unknown: { label: t('Not responding'), tone: 'neutral' },
}
