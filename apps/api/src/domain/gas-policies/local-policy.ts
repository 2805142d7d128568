import type { GasPolicy } from './gas-policy.ts'

const ether = 10n ** 18n

/**
 * Pays on local networks where there is no POLICIES_FILE: nothing is worth anything there, but a loop that never ends
 * should still be noticed.
 */
export const localPolicy = (networks: Iterable<number>): GasPolicy => ({
  id: 'local',
  effect: 'allow',
  networks: new Set(networks),
  budgets: { day: { wei: 10n * ether }, account: { day: { wei: ether } } },
})
