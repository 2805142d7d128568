import { endpoints } from '@lanyard/contracts'
import { readHealth } from '../../pipeline/health/read-health.ts'
import { implement } from '../../pipeline/implement.ts'
import { version } from '../../platform/version.ts'

export const health = implement(endpoints.system.health, async (_input, { services, log }) => {
  const { status, checks } = await readHealth(services, log)
  return { status, version, checks }
})
