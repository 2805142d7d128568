/** Why a local network could not be had. */
export type DevnetErrorCode =
  /** No anvil binary for this platform is installed (optional dependencies were left out). */
  | 'ANVIL_NOT_INSTALLED'
  /** anvil, or the process that supervises it, ended or did not answer; the message holds its last lines. */
  | 'ANVIL_FAILED'
  /** A state file in the data directory cannot be read. */
  | 'STATE_CORRUPT'
  /** A chain in the data directory was made by another version, and lacks what the networks carry now. */
  | 'STATE_OUTDATED'
  /** The start was aborted through its signal. */
  | 'ABORTED'

/** Thrown by everything in this package. */
export class DevnetError extends Error {
  override readonly name = 'DevnetError'
  readonly code: DevnetErrorCode

  constructor(code: DevnetErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}
