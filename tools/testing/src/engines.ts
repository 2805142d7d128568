const opened = new Set<string>()

/** Notes that the test file that runs now has opened a database of an engine. */
export const noteEngine = (engine: string): void => void opened.add(engine)

/** The engines noted since it was last asked. */
export function takeEngines(): string[] {
  const engines = [...opened]
  opened.clear()
  return engines
}
