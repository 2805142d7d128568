import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Figure } from '@lanyard/testing'
import type { Suite } from '../promise.ts'
import { type FileOutcome, pathOf, type RunOutcome } from './outcome.ts'

/** What `pnpm bench` keeps of a bench, as far as goals go. */
interface KeptResult {
  readonly date: string
  readonly comparisons: readonly Comparison[]
}

interface Comparison {
  readonly what: string
  readonly unit: string
  readonly ours: number
  readonly peerName: string
  readonly peer: number
  /** A bound of the ratio ours ÷ peer, or of our own figure. */
  readonly goal?: {
    readonly of: 'ratio' | 'ours'
    readonly bound: 'at most' | 'at least'
    readonly value: number
  }
}

/** Reads what benches measured last: passed where every goal was met. */
export function readBench(suite: Suite, promise: number, root: string): RunOutcome {
  const files: FileOutcome[] = []
  const figures: Figure[] = []
  for (const file of suite.files) {
    const path = pathOf(suite, file)
    const { date, comparisons }: KeptResult = JSON.parse(readFileSync(join(root, path), 'utf8'))
    const goals = comparisons.flatMap((comparison) => {
      const { goal, what, unit, ours, peer, peerName } = comparison
      if (!goal) return []
      const ratio = ours / peer
      const measured = goal.of === 'ratio' ? ratio : ours
      const isMet = goal.bound === 'at most' ? measured <= goal.value : measured >= goal.value
      const bound = `${goal.bound} ${goal.value}${goal.of === 'ratio' ? '' : ` ${unit}`}`
      const value = `${round(ours)} ${unit}, ratio ${ratio.toFixed(2)}; goal ${bound}: ${isMet ? 'met' : 'missed'}, ${date}`
      return [{ isMet, figure: { promise, name: `${what}, beside ${peerName}`, value } }]
    })
    const passed = goals.filter(({ isMet }) => isMet).length
    const failed = goals.length - passed
    const state = failed > 0 ? 'failed' : 'passed'
    files.push({ file: path, counted: 'goals', state, passed, failed, milliseconds: 0 })
    figures.push(...goals.map(({ figure }) => figure))
  }
  return { files, figures }
}

/** Three digits, and whole numbers from 100. */
const round = (value: number): string =>
  value >= 100 ? Math.round(value).toLocaleString('en-US') : String(Number.parseFloat(value.toPrecision(3)))
