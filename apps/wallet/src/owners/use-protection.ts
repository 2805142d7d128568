import { guardianName, mostCommon, useGuardians } from '../guardians/guardian.ts'
import { t } from '../i18n/t.ts'
import { doNotAnswer, nameNetworks } from '../networks/name-networks.ts'
import { useNetworks } from '../networks/use-networks.ts'
import { useRecipientNames } from '../recipients/known-recipients.ts'
import { useSession } from '../sign-in/session-context.tsx'
import { answerLoss } from './loss-answer.ts'
import { useUnfinishedRemovals } from './unfinished-removals.ts'
import { useOwners, withoutLeaving } from './use-owners.ts'

/** What protects the account today, in one line. */
export interface Protection {
  /** Each network that answers is covered. */
  readonly isCovered: boolean
  readonly text: string
  /** What is not complete yet. */
  readonly open: string | undefined
}

/**
 * What losing the passkey would mean today, once the removals that were started are finished. Undefined until networks and
 * owners are known; without an answer on the guardians, nothing is claimed about them.
 */
export function useLossAnswer() {
  const { account } = useSession()
  const { data: networks } = useNetworks()
  const { data: ownership } = useOwners()
  const { data: overview } = useGuardians(account)
  const removals = useUnfinishedRemovals()
  if (!networks || !ownership) return undefined
  const staying = withoutLeaving(ownership, removals)
  const answer = overview && answerLoss(overview, staying)
  return {
    networks,
    known: ownership.known,
    staying: staying.owners,
    leaving: ownership.owners.filter((owner) => !staying.owners.includes(owner)),
    guardians: answer && { overview, answer },
  }
}

/** Undefined until owners and guardians are known. */
export function useProtection(): Protection | undefined {
  const names = useRecipientNames()
  const loss = useLossAnswer()
  if (!loss?.guardians) return undefined
  const { networks, staying, leaving } = loss
  const { overview, answer } = loss.guardians
  const isCovered =
    leaving.length === 0 && answer.networks.every(({ state }) => state !== 'lost' && state !== 'other')
  if (!isCovered) {
    const where = nameNetworks(answer.lost, networks)
    return {
      isCovered,
      text: answer.lost.length > 0 ? t('Not protected on {where}', { where }) : t('Look at your protection'),
      open: undefined,
    }
  }

  const inForce = mostCommon(overview.networks.flatMap(({ current }) => current?.hash ?? []))
  const set = overview.networks.find(({ current }) => current?.hash === inForce)?.current?.guardians
  const owners = staying.filter(({ kind }) => kind !== 'sessions').length
  const count = set?.members.length ?? 0
  const text = set
    ? owners > 1
      ? t('{owners} owners and {threshold} of {count, plural, one {# guardian} other {# guardians}}', {
          owners,
          threshold: set.threshold,
          count,
        })
      : t('Passkey and {threshold} of {count, plural, one {# guardian} other {# guardians}}', {
          threshold: set.threshold,
          count,
        })
    : t('{owners} owners', { owners })
  const unable = overview.guardians.flatMap((guardian) => {
    const where = guardian.networks.flatMap(({ network, status, problem }) =>
      status === 'up' && problem ? [network] : [],
    )
    return where.length === 0
      ? []
      : [
          where.length === guardian.networks.length
            ? t('{name} cannot sign yet', { name: guardianName(guardian, names) })
            : t('{name} cannot sign on {networks} yet', {
                name: guardianName(guardian, names),
                networks: nameNetworks(where, networks),
              }),
        ]
  })
  const down = answer.networks.flatMap(({ network, state }) => (state === 'unknown' ? [network] : []))
  const [first] = unable
  const open =
    unable.length > 1
      ? t('{count} guardians cannot sign everywhere yet', { count: unable.length })
      : (first ?? (down.length > 0 ? doNotAnswer(down, networks) : undefined))
  return { isCovered, text, open }
}
