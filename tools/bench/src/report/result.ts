/** What a bench returns: a section of docs/benchmarks.md. */
export interface Result {
  readonly title: string
  /** How it was measured, in a few sentences. */
  readonly method: string
  /** The compared versions: name → version. */
  readonly versions: Readonly<Record<string, string>>
  readonly comparisons: readonly Comparison[]
}

/** One line: our figure beside a peer's, or alone if there is no peer. */
export interface Comparison {
  readonly what: string
  readonly unit: Unit
  readonly ours: number
  readonly peer?: number
  /** Present if there is a peer. */
  readonly peerName?: string
  /** Lowest and highest ratio of several runs; of our own figures if there is no peer. */
  readonly range?: readonly [number, number]
  readonly goal?: Goal
  /** Why the goal is missed, shown only if it is. */
  readonly whenMissed?: string
}

type Unit =
  | 'gas'
  | 'ms'
  | 's'
  | 'MiB'
  | 'MB'
  | 'requests/s'
  | 'operations/s'
  | 'requests'
  | 'statements'
  | 'commits'
  | 'round trips'
  | '%'
  | 'blocks'
  | 'operations'
  | 'gwei/operation'
  | 'presses'
  | 'fields'

/** A limit for the ratio ours ÷ peer, or for our own figure. */
export interface Goal {
  readonly of: 'ratio' | 'ours'
  readonly bound: 'at most' | 'at least'
  readonly value: number
}

/** Ours ÷ peer. */
export const ratioOf = ({ ours, peer = Number.NaN }: Comparison): number => ours / peer

/** Undefined if there is no goal. */
export function isMet(comparison: Comparison): boolean | undefined {
  const { goal, ours } = comparison
  if (!goal) return undefined
  const measured = goal.of === 'ratio' ? ratioOf(comparison) : ours
  return goal.bound === 'at most' ? measured <= goal.value : measured >= goal.value
}
