import type { Services } from '../../../app/services.ts'

/** What the workers of orders stand on. */
export type SettlementDependencies = Pick<Services, 'database' | 'networks' | 'now' | 'log' | 'checkpoint'>
