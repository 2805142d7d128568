import { CodedError } from '@lanyard/onchain'

/** Why a local network could not be started. */
export type DevnetErrorCode =
  /** No anvil binary for this platform is installed (optional dependencies were left out). */
  | 'ANVIL_NOT_INSTALLED'
  /** anvil, or its supervisor process, exited or did not respond; the message contains its last lines. */
  | 'ANVIL_FAILED'
  /** A state file in the data directory cannot be read. */
  | 'STATE_CORRUPT'
  /**
   * A chain in the data directory was made by another version, and lacks contracts that the networks have
   * now.
   */
  | 'STATE_OUTDATED'
  /** The start was aborted by its signal. */
  | 'ABORTED'
  /** The program got arguments that it does not know. */
  | 'USAGE'

/** Thrown by everything in this package. */
export class DevnetError extends CodedError<DevnetErrorCode> {
  override readonly name = 'DevnetError'
}
