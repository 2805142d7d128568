import { logEvidence } from '@lanyard/testing'
import { startService } from '../src/app/server.ts'
import { readEnv } from '../src/platform/environment/env.ts'
import { createLog } from '../src/platform/log/log.ts'
import { ampleLimits } from './ample-limits.ts'

export interface ConfiguredService extends AsyncDisposable {
  readonly url: string
  stop(): Promise<void>
}

/**
 * Starts the service in this process, configured only by environment variables, with its own connection to the database:
 * a replica, or the service that follows a killed one. A process of its own costs 2 s more of processor time; only what
 * is killed, or whose exit a test sees, needs one.
 */
export async function startConfigured(env: Record<string, string>): Promise<ConfiguredService> {
  const log = createLog({ LOG_LEVEL: 'info' }, logEvidence('service'))
  const { url, close } = await startService(readEnv({ PORT: '0', ...ampleLimits, ...env }), { log })
  return { url, stop: close, [Symbol.asyncDispose]: close }
}
