/** More texts than the service has. A connection keeps what PostgreSQL made of each that is named. */
const maxNames = 500

export interface StatementNames {
  /** Undefined: it goes without a name. */
  of(text: string): string | undefined
  /** Gives every statement a new name, so that connections parse it again. */
  renew(): void
}

/**
 * Names of statements: a connection parses and plans one that is named only once. A text gets its name when it comes
 * again, since one with a list of some length may not, and there are never more names than some.
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
