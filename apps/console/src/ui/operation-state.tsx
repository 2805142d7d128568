import { Tag } from '@lanyard/ui'

interface State {
  readonly state: 'built' | 'submitting' | 'submitted' | 'included' | 'dropped' | 'expired'
  readonly success: boolean | null
  readonly final: boolean
}

/** The state of an operation in a word or two. */
export function OperationState({ state, success, final }: State) {
  if (state === 'included' && success === false) return <Tag tone="bad">Reverted</Tag>
  if (state === 'included') return <Tag tone="good">{final ? 'Final' : 'Included'}</Tag>
  if (state === 'dropped') return <Tag tone="bad">Dropped</Tag>
  if (state === 'expired') return <Tag>Expired</Tag>
  return <Tag tone="waiting">Waiting</Tag>
}
