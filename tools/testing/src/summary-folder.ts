import process from 'node:process'

/*
 * Folders of a run, relative to the package's folder. A file that is repeated alone (`repeat/main.ts`) writes beside the
 * whole run, whose results stay.
 */

export const repeatedSummaryFolder = 'artifacts/tests-again'

const isRepeated = Boolean(process.env.TEST_REPEATED)

/** Of a run's summary. turbo caches it with the run. */
export const summaryFolder: string = isRepeated ? repeatedSummaryFolder : 'artifacts/tests'

/** Of what failed tests leave. */
export const failuresFolder: string = isRepeated ? 'artifacts/failures-again' : 'artifacts/failures'
