import { join, resolve } from 'node:path'

/** The repository's root. */
export const root = resolve(import.meta.dirname, '../../../..')

/** Where Stryker copies what it mutates; gone after a run. */
export const sandboxes = join(root, '.cache', 'mutants')

/** Reports in full, and what incremental runs remember; not committed. */
export const reports = join(root, '.cache', 'mutants-reports')

/** What was counted last, for each target; committed. */
export const results = resolve(import.meta.dirname, '../../results/mutants')

/** The page made of it. */
export const page = join(root, 'docs', 'mutation-testing.md')
