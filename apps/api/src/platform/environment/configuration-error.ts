/**
 * The service cannot start with its configuration. The message lists every problem, for the person who starts
 * it.
 */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError'
  readonly problems: readonly string[]

  constructor(source: string, problems: readonly string[]) {
    super(`${source} cannot be used:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`)
    this.problems = problems
  }
}
