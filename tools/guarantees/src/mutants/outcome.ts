import { join, relative } from 'node:path'
import type { MutantResult } from '@stryker-mutator/api/core'
import { root } from './paths.ts'
import type { Target } from './target.ts'

/** A change of the code that no test noticed. */
interface Place {
  /** Relative to the target's folder. */
  readonly file: string
  readonly line: number
  /** Stryker's name for the kind of change. */
  readonly mutator: string
  /** The replacement, shortened. */
  readonly replacement: string
}

/** The results of a target's mutants. */
export interface Outcome {
  readonly target: string
  /** Date of the run, `YYYY-MM-DD`. */
  readonly date: string
  readonly killed: number
  /** Timed out, which counts as noticed. */
  readonly timedOut: number
  /** Covered by tests, none of which failed. */
  readonly survivors: readonly Place[]
  /** Covered by no test. */
  readonly uncovered: readonly Place[]
  /** Not mutated: text for people, documentation. */
  readonly spared: number
  /** From targets.ts; the report of promises reads it here. */
  readonly floor: number
}

/** Counts Stryker's results. */
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

/** Why a node is not mutated (spared.ts). */
export const sparedReasons = {
  prose: 'Text for people.',
  documentation: 'Documentation of a schema.',
  compiler: 'The compiler allows no other name.',
  same: 'The result is the same without it.',
} as const

/** Stryker reports absolute paths. */
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
