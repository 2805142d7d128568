/** More than the service has statements. A connection keeps the plan of each named one. */
const maxNames = 500

export interface StatementNames {
  /** Undefined: the statement has no name. */
  of(text: string): string | undefined
  /** Renames all statements, so that connections parse them again. */
  renew(): void
}

/**
 * Names for prepared statements: a connection parses and plans a named statement only once. A statement gets
 * its name on its second use, because one with a list of unusual length may never recur. The number of names
 * is limited.
 */
export function createStatementNames(): StatementNames {
  const names = new Map<string, string>()
  const seenOnce = new Set<string>()
  let generation = 0
  return {
    of(text) {
      const known = names.get(text)
      if (known !== undefined || names.size >= maxNames) return known
      if (seenOnce.delete(text)) {
        const name = `lanyard_${generation}_${names.size}`
        names.set(text, name)
        return name
      }
      if (seenOnce.size >= maxNames) seenOnce.clear()
      seenOnce.add(text)
      return undefined
    },
    renew() {
      generation++
      names.clear()
    },
  }
}
