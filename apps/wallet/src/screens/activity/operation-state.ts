import type { Activity } from './use-activity.ts'

/** Where an operation stands, in a word. */
export interface StateText {
  readonly label: string
  readonly tone: 'neutral' | 'good' | 'waiting' | 'bad'
  /** It happened: tell it in the past tense. */
  readonly done: boolean
}

/** An operation's state for its row. */
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
