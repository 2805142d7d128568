import { Session } from 'node:inspector/promises'

/**
 * The number of JavaScript functions that were called while something ran. Unlike time, it does not depend on the
 * machine and its load, so a test can bound it. Functions of the engine (`JSON.parse`, regular expressions) do not
 * count.
 */
export async function countCalls(run: () => unknown): Promise<number> {
  const session = new Session()
  session.connect()
  try {
    await session.post('Profiler.enable')
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
    await session.post('Profiler.takePreciseCoverage') // forgets what was called before
    await run()
    const { result } = await session.post('Profiler.takePreciseCoverage')
    return result
      .flatMap(({ functions }) => functions)
      .reduce((sum, { ranges: [whole] }) => sum + (whole?.count ?? 0), 0)
  } finally {
    await session.post('Profiler.disable').catch(() => {})
    session.disconnect()
  }
}
