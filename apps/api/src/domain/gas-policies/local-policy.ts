import type { GasPolicy } from './gas-policy.ts'

const ether = 10n ** 18n

/**
 * Pays on local networks when there is no POLICIES_FILE. Nothing there has value, but the limits make an
 * endless loop visible.
 */
export const localPolicy = (networks: Iterable<number>): GasPolicy => ({
  id: 'local',
  effect: 'allow',
  networks: new Set(networks),
  callGas: 10_000_000,
  anyBundler: true,
  budgets: { day: { wei: 10n * ether }, account: { day: { wei: ether } } },
})
