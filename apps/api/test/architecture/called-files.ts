import { Session } from 'node:inspector/promises'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../../../', import.meta.url))

/** Records which files of this repository run, with the precise coverage of V8. */
export async function recordFiles(): Promise<AsyncDisposable & { take(): Promise<ReadonlySet<string>> }> {
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  return {
    /** Files with a function that was called since the last `take`, as paths from the root. */
    async take() {
      const { result } = await session.post('Profiler.takePreciseCoverage')
      const called = result.filter(({ functions }) =>
        functions.some(({ ranges: [range] }) => range !== undefined && range.count > 0),
      )
      return new Set(called.flatMap(({ url }) => toPath(url)))
    },
    async [Symbol.asyncDispose]() {
      await session.post('Profiler.stopPreciseCoverage')
      session.disconnect()
    },
  }
}

function toPath(url: string): string[] {
  const path = url.startsWith('file:') ? fileURLToPath(url.replace(/[?#].*$/, '')) : url
  return path.startsWith(root) && !path.includes('/node_modules/') ? [path.slice(root.length)] : []
}
