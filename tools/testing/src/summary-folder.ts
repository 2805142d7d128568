import process from 'node:process'

/**
 * The folder of a run's summary, relative to the package's folder. turbo caches it with the run. A file that is repeated
 * alone (`repeat/main.ts`) keeps the summary of the whole run.
 */
export const summaryFolder: string = process.env.TEST_REPEATED ? 'artifacts/tests-again' : 'artifacts/tests'
