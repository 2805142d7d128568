import { defaultSenderSettings, type SenderSettings } from '../sender/settings.ts'

/** How a relayer works. Times in milliseconds. */
export interface RelayerSettings extends SenderSettings {
  readonly maxOperationsPerBundle: number
  /**
   * An operation that cannot be included now waits this long. The delay doubles with each attempt, up to
   * `maxBackoff`.
   */
  readonly initialBackoff: number
  readonly maxBackoff: number
  /** The least time between two comparisons of what bundles cost and earned. */
  readonly auditEvery: number
  /** An operation is dropped after this many reverted transactions that contained only that operation. */
  readonly maxReverts: number
}

export const defaultRelayerSettings: RelayerSettings = {
  ...defaultSenderSettings,
  maxOperationsPerBundle: 32,
  initialBackoff: 1_000,
  maxBackoff: 60_000,
  auditEvery: 10_000,
  maxReverts: 3,
}
