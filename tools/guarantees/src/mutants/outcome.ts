import { join, relative } from 'node:path'
import type { MutantResult } from '@stryker-mutator/api/core'
import { root } from './paths.ts'
import type { Target } from './target.ts'

/** A change of the code that no test noticed. */
interface Place {
  /** From the target's folder. */
  readonly file: string
  readonly line: number
  /** Stryker's name of the kind of change. */
  readonly mutator: string
  /** What stands there instead, shortened. */
  readonly replacement: string
}

/** What came of a target's mutants. */
export interface Outcome {
  readonly target: string
  /** Of the run, `YYYY-MM-DD`. */
  readonly date: string
  readonly killed: number
  /** They never end: noticed too. */
  readonly timedOut: number
  /** Reached by tests, none of which failed. */
  readonly survivors: readonly Place[]
  /** Reached by no test. */
  readonly uncovered: readonly Place[]
  /** Left alone: text for people, documentation. */
  readonly spared: number
  /** As targets.ts declares it: the report of promises reads it here. */
  readonly floor: number
}

/** Counts what Stryker answered. */
export function outcomeOf(target: Target, mutants: readonly MutantResult[], date: string): Outcome {
  const toPlace = placeIn(join(root, target.folder))
  const of = (status: MutantResult['status']) => mutants.filter((mutant) => mutant.status === status)
  return {
    target: target.name,
    date,
    killed: of('Killed').length,
    timedOut: of('Timeout').length,
    survivors: of('Survived').map(toPlace),
    uncovered: of('NoCoverage').map(toPlace),
    spared: of('Ignored').length,
    floor: target.floor,
  }
}

/** Why something is left alone (spared.ts). */
export const sparedReasons = {
  prose: 'Text for people.',
  documentation: 'Documentation of a schema.',
  compiler: 'The compiler allows no other name.',
  same: 'Without it, the same is answered.',
} as const

/** Stryker names files by their whole path. */
const placeIn =
  (folder: string) =>
  ({ fileName, location, mutatorName, replacement = '' }: MutantResult): Place => {
    const text = replacement.replace(/\s+/g, ' ')
    return {
      file: relative(folder, fileName),
      line: location.start.line,
      mutator: mutatorName,
      replacement: text.length > 60 ? `${text.slice(0, 60)}…` : text,
    }
  }
