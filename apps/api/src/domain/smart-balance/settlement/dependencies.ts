import type { SmartBalanceServices } from '../services.ts'

/** What the workers of orders stand on. */
export type SettlementDependencies = Pick<
  SmartBalanceServices,
  'database' | 'networks' | 'now' | 'log' | 'checkpoint'
>
