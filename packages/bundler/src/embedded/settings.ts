import { defaultSenderSettings, type SenderSettings } from '../sender/settings.ts'

/** How a relayer works. Times in milliseconds. */
export interface RelayerSettings extends SenderSettings {
  readonly maxOperationsPerBundle: number
  /** An operation that cannot be included now waits this long, doubling with each attempt, up to `maxBackoff`. */
  readonly initialBackoff: number
  readonly maxBackoff: number
  /** An operation is given up when so many transactions reverted that carried nothing else. */
  readonly maxReverts: number
}

export const defaultRelayerSettings: RelayerSettings = {
  ...defaultSenderSettings,
  maxOperationsPerBundle: 32,
  initialBackoff: 1_000,
  maxBackoff: 60_000,
  maxReverts: 3,
}
