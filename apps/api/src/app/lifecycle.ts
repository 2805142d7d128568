import type { Logger } from 'pino'
import type { Env } from '../platform/environment/env.ts'
import { version } from '../platform/version.ts'
import { banner } from './banner.ts'
import type { Service } from './server.ts'

/** Says when the process is ready and when it ends. */
export interface Lifecycle {
  ready(service: Service): void
  stopping(signal: NodeJS.Signals | undefined): void
  stopped(code: number): void
}

/**
 * A banner for a person, at a terminal or in development. In production, lines of the log, whatever its level: which version ran
 * from when to when is asked after every incident.
 */
export function createLifecycle(env: Pick<Env, 'LOG_LEVEL' | 'ROLES'>, log: Logger): Lifecycle {
  const lines = env.LOG_LEVEL === 'silent' ? log : log.child({}, { level: 'info' })
  const began = performance.now()
  let ended = began
  let isProduction = false
  const milliseconds = (since: number) => Math.round(performance.now() - since)
  return {
    ready(service) {
      isProduction = service.services.env.NODE_ENV === 'production' && !process.stdout.isTTY
      if (!isProduction) return void process.stdout.write(banner(service))
      const { url, services, console } = service
      const { ROLES: roles } = services.env
      const where = roles.includes('api') ? url : `${roles.join(', ')}, without HTTP`
      lines.info(
        {
          ...{ version, roles, networks: services.networks.list().map(({ chainId }) => chainId) },
          ...(roles.includes('api') && { url }),
          ...(console && { console: console.origin }),
          ...{ node: process.version, milliseconds: milliseconds(began) },
        },
        `Lanyard is ready: ${where}`,
      )
    },
    stopping(signal) {
      ended = performance.now()
      if (isProduction) lines.info({ version, roles: env.ROLES, signal }, 'Lanyard stops')
    },
    stopped(code) {
      const entry = { version, roles: env.ROLES, code, milliseconds: milliseconds(ended) }
      if (isProduction) lines.info(entry, 'Lanyard has stopped')
    },
  }
}
