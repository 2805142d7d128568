import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { reportFigure } from './report-figure.ts'

const folder = mkdtempSync(join(tmpdir(), 'lanyard-figures-'))
afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true, force: true })
})

test('behavior: writes each figure as a line of the file named by LANYARD_FIGURES', () => {
  const file = join(folder, 'figures.jsonl')
  vi.stubEnv('LANYARD_FIGURES', file)
  reportFigure(1, 'kills survived', 23)
  reportFigure(4, 'worst latency', '1.8 s')
  const lines = readFileSync(file, 'utf8').trim().split('\n')
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    { promise: 1, name: 'kills survived', value: 23 },
    { promise: 4, name: 'worst latency', value: '1.8 s' },
  ])
})
