import type { SmartBalanceServices } from '../services.ts'

/** The dependencies of the workers for orders. */
export type SettlementDependencies = Pick<
  SmartBalanceServices,
  'database' | 'networks' | 'now' | 'log' | 'checkpoint'
>
