import type { WholeRun } from '../render-summary.ts'
import type { FailedFile } from '../summary.ts'

/** At most so many files may pass only when they run alone, or the run fails. */
const maxUnstable = 3

/** Above this, a commit is broken rather than unstable, and repeating its files says nothing new. */
const maxRepeated = 10

/** A file to run again, in the folder of its package. */
export interface Repetition extends FailedFile {
  readonly package: string
  readonly folder: string
  /** `TEST_TIER` and `TEST_SEED` of the run in which it failed. */
  readonly env: Readonly<Record<string, string>>
  readonly file: string
  readonly command: readonly string[]
}

export interface Plan {
  readonly repetitions: readonly Repetition[]
  /** Why the run fails whatever the repetitions show. */
  readonly unrepeatable: readonly string[]
}

/** @param wholes what each tier wrote; undefined if it ended before it wrote anything */
export function planRepetitions(
  wholes: Readonly<Record<string, Pick<WholeRun, 'runs' | 'seed' | 'outsideOfTests'> | undefined>>,
): Plan {
  const unrepeatable: string[] = []
  const repetitions = new Map<string, Repetition>()
  for (const [tier, whole] of Object.entries(wholes)) {
    if (!whole) {
      unrepeatable.push(`The ${tier} tier wrote no results.`)
      continue
    }
    unrepeatable.push(...whole.outsideOfTests.map((reason) => `Failed outside of the tests: ${reason}.`))
    for (const { package: name, folder, failed, failedFiles } of whole.runs) {
      if (failed > 0 && failedFiles.length === 0)
        unrepeatable.push(`${name}: ${failed} failures without a file.`)
      for (const { file, command, env, output } of failedFiles) {
        if (file === undefined || command === undefined) {
          unrepeatable.push(`${name}: an error that belongs to no file: ${output}`)
          continue
        }
        const key = `${tier} ${folder} ${file}`
        const earlier = repetitions.get(key)
        repetitions.set(key, {
          ...{ package: name, folder, file, command },
          env: { TEST_TIER: tier, TEST_SEED: whole.seed, ...env },
          output: earlier ? `${earlier.output}\n\n${output}` : output,
        })
      }
    }
  }
  const all = [...repetitions.values()]
  if (all.length > maxRepeated)
    return {
      repetitions: [],
      unrepeatable: [
        ...unrepeatable,
        `${all.length} files failed: too many to repeat (at most ${maxRepeated}).`,
      ],
    }
  return { repetitions: all, unrepeatable }
}

export interface Repeated extends Repetition {
  /** The output of the repetition. */
  readonly second: string
  readonly hasPassed: boolean
}

/** @returns why the run fails; empty if it passes */
export function findReasonsToFail(
  repeated: readonly Repeated[],
  unrepeatable: readonly string[],
): readonly string[] {
  const unstable = repeated.filter(({ hasPassed }) => hasPassed)
  return [
    ...unrepeatable,
    ...repeated
      .filter(({ hasPassed }) => !hasPassed)
      .map(({ package: name, file }) => `${name} ${file} failed again, alone.`),
    ...(unstable.length > maxUnstable
      ? [`${unstable.length} files are unstable; a run passes with at most ${maxUnstable}.`]
      : []),
  ]
}

/** The end of a text: errors are there. */
const end = (text: string, limit = 6_000) => (text.length > limit ? `…${text.slice(-limit)}` : text).trim()

/** What `.ci/run` prints last, and what CI's summary shows (it is Markdown as well). */
export function renderRepeated(repeated: readonly Repeated[], reasons: readonly string[]): string {
  const unstable = repeated.filter(({ hasPassed }) => hasPassed)
  return [
    ...repeated.flatMap(({ package: name, file, output, second, hasPassed }) => [
      `## ${hasPassed ? 'Unstable' : 'Failed twice'}: ${name} ${file}`,
      ...['', 'First, beside other tests:', '', '```', end(output), '```', ''],
      ...['Then, alone:', '', '```', end(second), '```', ''],
    ]),
    ...(unstable.length > 0
      ? [
          `Unstable: ${unstable.length} of at most ${maxUnstable} files. Find each cause, and add a line to docs/unstable-tests.md.`,
        ]
      : []),
    ...reasons.map((reason) => `Failed: ${reason}`),
    '',
  ].join('\n')
}
