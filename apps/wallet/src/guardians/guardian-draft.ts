import { guardianBounds } from '@lanyard/accounts'
import type { Address } from 'viem'
import { t } from '../i18n/t.ts'
import { answerLink, type GuardianAnswer, readAnswer } from './invitation.ts'

/** Guardians that an owner is choosing. */
export interface GuardianDraft {
  readonly members: readonly Address[]
  /** The usernames of those who have one, by address. */
  readonly names?: Readonly<Record<string, string>>
  /** The links by which some of them answered. */
  readonly answers?: readonly string[]
  /** As text, as in a `<select>`. Empty: {@link usualThreshold}. */
  readonly threshold: string
  /** Seconds as text. */
  readonly delay: string
}

const day = 86_400

/** Three days: long enough to notice a recovery that somebody else started, short enough to wait for one's own. */
export const emptyGuardianDraft: GuardianDraft = { members: [], threshold: '', delay: String(3 * day) }

/** The answers of the guardians who are still chosen. */
export const answersOf = ({ members, answers = [] }: GuardianDraft): readonly GuardianAnswer[] =>
  answers
    .flatMap((link) => readAnswer(new URL(link).hash) ?? [])
    .filter(({ guardian }) => members.includes(guardian))

/** An answer as a draft keeps it. */
export const toDraftAnswer = (answer: GuardianAnswer): string => answerLink(answer)

/** More than half of them, so that one who is lost or bought decides nothing. */
export const usualThreshold = (members: number): number => Math.floor(members / 2) + 1

/** The threshold of a draft: as chosen, as far as there are so many guardians. */
export const thresholdOf = ({ members, threshold }: GuardianDraft): number =>
  threshold === ''
    ? Math.max(1, Math.min(usualThreshold(members.length), members.length))
    : Math.max(1, Math.min(Number(threshold), members.length))

/** The delays to choose from, in days. */
export const delayDays = [1, 2, 3, 7, 14, guardianBounds.maxDelay / day] as const

/** A delay in days, as text. */
export const delayText = (seconds: number): string =>
  t('{days, plural, one {# day} other {# days}}', { days: Math.round(seconds / day) })
