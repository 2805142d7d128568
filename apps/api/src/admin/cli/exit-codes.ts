/** How commands end. Written for scripts, and so part of the interface. */
export const exitCodes = {
  /** Done, and nothing is left to do. */
  done: 0,
  /** It failed, it was declined, or (`repair`) differences were found. */
  failed: 1,
  /** It was not understood, or the configuration is wrong; nothing was done. */
  misused: 2,
  /** What can be done now is done; the rest has to wait, and the command says for what. */
  unfinished: 3,
} as const

export type ExitName = keyof typeof exitCodes
export type ExitCode = (typeof exitCodes)[ExitName]

/** Ends a command that has written its result with another code than 0. */
export class CommandEnd extends Error {
  override readonly name = 'CommandEnd'
  readonly exitCode: ExitCode

  constructor(exitCode: ExitCode) {
    super(`exit code ${exitCode}`)
    this.exitCode = exitCode
  }
}
