const opened = new Set<string>()

/** Records that the current test file has opened a database of an engine. */
export const noteEngine = (engine: string): void => void opened.add(engine)

/** Returns the engines recorded since the last call. */
export function takeEngines(): string[] {
  const engines = [...opened]
  opened.clear()
  return engines
}
