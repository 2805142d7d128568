import type { EventMessage } from '@lanyard/contracts'
import type { QueryKey } from '@tanstack/react-query'

/** Everything that an operation can change, by the first part of its query key. */
export const allAnswers = [
  'balances',
  'activity',
  'transfers',
  'owners',
  'deposits',
  'orders',
  'sessions',
  'ownership',
]

const answersByNoun: Readonly<Record<string, readonly string[]>> = {
  order: ['orders', 'deposits', 'balances'],
  deposit: ['deposits'],
  owner: ['owners', 'guardians', 'activity'],
  guardian: ['ownership', 'guardians', 'activity'],
  recovery: ['ownership', 'owners', 'guardians', 'activity'],
  session: ['sessions', 'owners'],
  transfer: ['transfers', 'balances'],
}

/** The queries that an event invalidates. */
export function answersOf({ type, data }: EventMessage, account: string): readonly QueryKey[] {
  const [noun = ''] = type.split('.')
  const keys = (answersByNoun[noun] ?? allAnswers).map((answer) => [answer, account])
  return 'userOpHash' in data && data.userOpHash ? [['operation', data.userOpHash], ...keys] : keys
}
