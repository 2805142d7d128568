import { join, resolve } from 'node:path'

/** The repository's root. */
export const root = resolve(import.meta.dirname, '../../../..')

/** The folder of Stryker's mutated copies, deleted after a run. */
export const sandboxes = join(root, '.cache', 'mutants')

/** The data of incremental runs. */
export const memory = join(root, '.cache', 'mutants-memory')

/**
 * Reports for CI: every mutant with its location, and the results of a target's last complete run. Not
 * committed.
 */
export const artifacts = join(root, 'artifacts', 'mutants')

/** The scores of the last runs. Committed. */
export const page = join(root, 'docs', 'mutation-testing.md')
