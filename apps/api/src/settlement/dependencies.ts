import type { Services } from '../services.ts'

/** What the workers of orders stand on. */
export type SettlementDependencies = Pick<Services, 'database' | 'networks' | 'now' | 'log' | 'checkpoint'>
