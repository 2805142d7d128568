import { type ServiceProcess, startServiceProcess } from '../service-process.ts'

/** A process that can be killed and restarted at the same address, as a supervisor does. */
export interface Replica {
  /** Unchanged by restarts. */
  readonly url: string
  /** Number of kills. If it changes during a request, the request lost its replica. */
  readonly deaths: () => number
  /** True from a kill until the new process is ready. */
  readonly isRestarting: () => boolean
  /** Sends SIGKILL and starts a new process; resolves when the new process is ready. */
  kill(): Promise<void>
  /**
   * Sends SIGTERM, waits for the exit and starts a new process. Resolves to the exit code or signal of the old process
   * when the new one is ready.
   *
   * @param more - extra environment for the new process only
   */
  roll(more?: Record<string, string>): Promise<number | NodeJS.Signals>
  /** Sends SIGTERM; resolves to the exit code or signal and to the time until the exit. */
  terminate(): Promise<{ readonly code: number | NodeJS.Signals; readonly milliseconds: number }>
  stop(): Promise<void>
}

/** Starts a replica that uses the same port again after each restart. */
export async function startReplica(env: Record<string, string>): Promise<Replica> {
  let current: ServiceProcess = await startServiceProcess(env)
  const { url } = current
  const again = env.ROLES?.includes('api') === false ? env : { ...env, PORT: new URL(url).port }
  let deaths = 0
  let restarting = false
  return {
    url,
    deaths: () => deaths,
    isRestarting: () => restarting,
    async kill() {
      deaths++
      restarting = true
      current.child.kill('SIGKILL')
      await current.ended
      current = await startServiceProcess(again)
      restarting = false
    },
    async roll(more = {}) {
      current.child.kill('SIGTERM')
      const code = await current.ended
      current = await startServiceProcess({ ...again, ...more })
      return code
    },
    async terminate() {
      const startedAt = performance.now()
      current.child.kill('SIGTERM')
      const code = await current.ended
      return { code, milliseconds: performance.now() - startedAt }
    },
    stop: () => current.stop(),
  }
}
