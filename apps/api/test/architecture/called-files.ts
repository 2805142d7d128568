import { Session } from 'node:inspector/promises'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../../../', import.meta.url))

/** Vitest turns each export into a getter. It runs when another file uses the name, and is no function of the file. */
const exportGetter = /\(\) => \{ try \{ return [\w$.]+ \} catch \{\} \}/g

/** Records which files of this repository run, with the precise coverage of V8. */
export async function recordFiles(): Promise<AsyncDisposable & { take(): Promise<ReadonlySet<string>> }> {
  const session = new Session()
  session.connect()
  await session.post('Debugger.enable')
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  const getters = new Map<string, ReadonlySet<number>>()

  /** Where the getters of a script's exports start. */
  async function gettersOf(scriptId: string): Promise<ReadonlySet<number>> {
    const { scriptSource } = await session.post('Debugger.getScriptSource', { scriptId })
    const found = new Set([...scriptSource.matchAll(exportGetter)].map(({ index }) => index))
    getters.set(scriptId, found)
    return found
  }

  return {
    /** Files with a function that was called since the last `take`, as paths from the root. */
    async take() {
      const { result } = await session.post('Profiler.takePreciseCoverage')
      const called = new Set<string>()
      for (const { url, scriptId, functions } of result) {
        const path = toPath(url)
        const starts = functions.flatMap(({ ranges: [range] }) =>
          range !== undefined && range.count > 0 ? range.startOffset : [],
        )
        if (path === undefined || starts.length === 0) continue
        const known = getters.get(scriptId) ?? (await gettersOf(scriptId))
        if (starts.some((start) => !known.has(start))) called.add(path)
      }
      return called
    },
    async [Symbol.asyncDispose]() {
      await session.post('Profiler.stopPreciseCoverage')
      session.disconnect()
    },
  }
}

/** The files of the service among those that run: without its interface (`packages/contracts`) and test support. */
export const filesOfService = (paths: ReadonlySet<string>): readonly string[] =>
  [...paths]
    .filter((path) => /^(apps|packages)\/[^/]+\/src\//.test(path))
    .filter((path) => !/^packages\/(contracts|devnet)\/|\/testing\/|\.test\.ts$/.test(path))
    .sort()

function toPath(url: string): string | undefined {
  const path = url.startsWith('file:') ? fileURLToPath(url.replace(/[?#].*$/, '')) : url
  return path.startsWith(root) && !path.includes('/node_modules/') ? path.slice(root.length) : undefined
}
