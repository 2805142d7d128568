/** Exit codes of commands. Scripts rely on them, so they are part of the interface. */
export const exitCodes = {
  /** Done; nothing is left to do. */
  done: 0,
  /** The command failed, it was declined, or (`repair`) differences were found. */
  failed: 1,
  /** The command line was not understood, or the configuration is wrong; nothing was done. */
  misused: 2,
  /** Everything that is possible now is done; the command says what the rest waits for. */
  unfinished: 3,
} as const

export type ExitName = keyof typeof exitCodes
export type ExitCode = (typeof exitCodes)[ExitName]

/** Ends a command that has written its result with an exit code other than 0. */
export class CommandEnd extends Error {
  override readonly name = 'CommandEnd'
  readonly exitCode: ExitCode

  constructor(exitCode: ExitCode) {
    super(`exit code ${exitCode}`)
    this.exitCode = exitCode
  }
}
