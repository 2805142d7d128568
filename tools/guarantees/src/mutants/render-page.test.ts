import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { type Outcome, scoresOf } from './outcome.ts'
import { page } from './paths.ts'
import { readOutcome } from './read-outcome.ts'
import { renderPage } from './render-page.ts'
import { findTarget, targets } from './targets.ts'

const outcomes = targets.flatMap(({ name }) => readOutcome(name) ?? [])

test('behavior: docs/mutation-testing.md is what is declared and kept; else run pnpm mutants --page', () => {
  expect(readFileSync(page, 'utf8')).toBe(renderPage(targets, outcomes))
})

test.each(outcomes)('behavior: $target reached its floor', (outcome) => {
  const target = findTarget(outcome.target)
  expect(outcome.floor).toBe(target.floor)
  expect(scoresOf(outcome).all).toBeGreaterThanOrEqual(target.floor)
})

test('behavior: a target that was not run is named as such', () => {
  const text = renderPage(targets, [])
  expect(text).toContain(`Not run yet: ${targets.map(({ name }) => name).join(', ')}.`)
})

test('behavior: survivors are listed, and what no test reaches', () => {
  const place = { file: 'src/a.ts', line: 7, mutator: 'StringLiteral', replacement: '`a`' }
  const outcome: Outcome = {
    ...{ target: 'one', date: '2026-01-02', killed: 7, timedOut: 1, spared: 3, floor: 80 },
    survivors: [place],
    uncovered: [{ ...place, replacement: 'true' }],
  }
  const text = renderPage([], [outcome])
  expect(text).toContain('| one | 8 | 1 | 1 | 1 | 3 | 80.0 % | 88.9 % | 80 % | 2026-01-02 |')
  expect(text).toContain('- one, `src/a.ts:7`, StringLiteral: `` `a` ``')
  expect(text).toContain('- one, `src/a.ts:7`, StringLiteral: `true`')
})
