import type { Activity } from './use-activity.ts'

/** An operation's state as a short text. */
export interface StateText {
  readonly label: string
  readonly tone: 'neutral' | 'good' | 'waiting' | 'bad'
  /** True if it happened, so its summary uses the past tense. */
  readonly done: boolean
}

/** The state shown in an operation's row. */
export function stateOf({ state, success, final }: Pick<Activity, 'state' | 'success' | 'final'>): StateText {
  switch (state) {
    case 'included':
      if (success === false) return { label: 'Failed', tone: 'bad', done: false }
      return final
        ? { label: 'Final', tone: 'good', done: true }
        : { label: 'Included', tone: 'good', done: true }
    case 'dropped':
      return { label: 'Not included', tone: 'bad', done: false }
    case 'expired':
      return { label: 'Expired', tone: 'neutral', done: false }
    default:
      return { label: 'Pending', tone: 'waiting', done: false }
  }
}
