import { type ServiceProcess, startServiceProcess } from '../service-process.ts'

/** A process that is killed and comes back at the same address, as a supervisor would have it. */
export interface Replica {
  /** Stays the same. */
  readonly url: string
  /** How often it was killed; a request that saw two values lost its replica on the way. */
  readonly deaths: () => number
  /** From a kill until the process in its place is ready. */
  readonly isRestarting: () => boolean
  /** SIGKILL, and a new process in its place; resolves when that is ready. */
  kill(): Promise<void>
  /**
   * SIGTERM, and when that process has ended, a new one in its place; resolves when that is ready, to the exit code or
   * signal of the first.
   *
   * @param more - of the new one's environment alone
   */
  roll(more?: Record<string, string>): Promise<number | NodeJS.Signals>
  /** SIGTERM; resolves to the exit code or signal, and to how many milliseconds that took. */
  terminate(): Promise<{ readonly code: number | NodeJS.Signals; readonly milliseconds: number }>
  stop(): Promise<void>
}

/** A replica on a port that it takes again after each death. */
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
      const began = performance.now()
      current.child.kill('SIGTERM')
      const code = await current.ended
      return { code, milliseconds: performance.now() - began }
    },
    stop: () => current.stop(),
  }
}
