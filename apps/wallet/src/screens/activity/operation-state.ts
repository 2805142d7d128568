import { t } from '../../i18n/t.ts'
import type { Activity } from '../../operation/use-activity.ts'

/** An operation's state as a short text. */
export interface StateText {
  readonly label: string
  readonly tone: 'neutral' | 'good' | 'waiting' | 'bad'
  /** True if it happened, so its summary uses the past tense. */
  readonly done: boolean
}

/** The state shown in an operation's row. */
export function stateOf({ state, success }: Pick<Activity, 'state' | 'success'>): StateText {
  switch (state) {
    case 'included':
      if (success === false) return { label: t('Failed'), tone: 'bad', done: false }
      return { label: t('Done'), tone: 'good', done: true }
    case 'dropped':
      return { label: t('Not included'), tone: 'bad', done: false }
    case 'expired':
      return { label: t('Expired'), tone: 'neutral', done: false }
    default:
      return { label: t('Pending'), tone: 'waiting', done: false }
  }
}
