import { mkdirSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import type { Verdict } from './report/judge.ts'

/**
 * Writes the result of one promise, file by file, to `artifacts/promises`, which CI keeps and the repository
 * does not.
 */
export function writeArtifact(root: string, verdict: Verdict, run: { date: string; long: boolean }): void {
  const folder = join(root, 'artifacts', 'promises')
  mkdirSync(folder, { recursive: true })
  const report = { ...run, node: process.versions.node, processors: availableParallelism(), ...verdict }
  const file = join(folder, `${String(verdict.id).padStart(2, '0')}.json`)
  writeFileSync(file, `${JSON.stringify(report, null, 2)}\n`)
}
