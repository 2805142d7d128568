import { join, resolve } from 'node:path'

/** The repository's root. */
export const root = resolve(import.meta.dirname, '../../../..')

/** Where Stryker copies what it mutates; gone after a run. */
export const sandboxes = join(root, '.cache', 'mutants')

/** What incremental runs remember. */
export const memory = join(root, '.cache', 'mutants-memory')

/** Reports for CI: each mutant in its place, and the results of a target's last whole run. Not committed. */
export const artifacts = join(root, 'artifacts', 'mutants')

/** The scores of the last runs; committed. */
export const page = join(root, 'docs', 'mutation-testing.md')
