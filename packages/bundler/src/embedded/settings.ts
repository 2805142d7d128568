import { defaultSenderSettings, type SenderSettings } from '../sender/settings.ts'

/** How a relayer works. Times in milliseconds. */
export interface RelayerSettings extends SenderSettings {
  readonly maxOperationsPerBundle: number
  /** The least time between two comparisons of what bundles cost and earned. */
  readonly auditEvery: number
  /** An operation is dropped after this many reverted transactions that contained only that operation. */
  readonly maxReverts: number
}

export const defaultRelayerSettings: RelayerSettings = {
  ...defaultSenderSettings,
  maxOperationsPerBundle: 32,
  auditEvery: 10_000,
  maxReverts: 3,
}
