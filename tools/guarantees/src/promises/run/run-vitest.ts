import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Figure } from '@lanyard/testing'
import type { RunOutcome } from './outcome.ts'
import { parseVitest } from './parse-vitest.ts'
import { runProgram } from './run-program.ts'

interface VitestRun {
  readonly root: string
  /** The package's folder, relative to the root. */
  readonly package: string
  /** Relative to the package's folder. */
  readonly files: readonly string[]
  readonly config?: string | undefined
  readonly long: boolean
  readonly onLine: (line: string) => void
}

/** Runs test files of one package, one at a time, since most start chains and databases. */
export async function runVitest(run: VitestRun): Promise<RunOutcome> {
  const folder = mkdtempSync(join(tmpdir(), 'lanyard-promises-'))
  const report = join(folder, 'report.json')
  const figures = join(folder, 'figures.jsonl')
  try {
    const { output, errors } = await runProgram({
      name: join(run.root, 'node_modules', '.bin', 'vitest'),
      parameters: [
        'run',
        ...run.files,
        ...(run.config ? ['--config', run.config] : []),
        '--no-file-parallelism',
        '--no-color',
        '--reporter=default',
        '--reporter=json',
        `--outputFile.json=${report}`,
      ],
      folder: join(run.root, run.package),
      env: { LANYARD_FIGURES: figures, TEST_TIER: run.long ? 'whole' : 'any' },
      onLine: run.onLine,
    })
    if (!existsSync(report)) {
      throw new Error(`vitest of ${run.package} wrote no report:\n${output}\n${errors}`)
    }
    const files = parseVitest(readFileSync(report, 'utf8'), run.root)
    // The setup failed, or vitest could not start, so no file has the reason.
    if (files.length === 0) throw new Error(`vitest of ${run.package} ran nothing:\n${output}\n${errors}`)
    // vitest prints failures and their reasons there.
    if (files.some(({ state }) => state === 'failed')) run.onLine(errors)
    return { files, figures: readFigures(figures) }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Reads the lines that `reportFigure` wrote. */
function readFigures(file: string): Figure[] {
  if (!existsSync(file)) return []
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean)
  return lines.map((line) => JSON.parse(line) as Figure) // written by reportFigure
}
