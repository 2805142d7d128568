import { type ChildProcess, fork } from 'node:child_process'
import { createRequire } from 'node:module'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { DevnetError } from './errors.ts'
import type { FromSupervisor, ToSupervisor } from './supervisor-messages.ts'

/** A running anvil. */
export interface Anvil {
  readonly port: number
  readonly pid: number
  readonly rpcUrl: string
  /** Resolves when it has exited, for any reason. */
  readonly ended: Promise<AnvilEnd>
  /** Stops it, and waits until it has exited. */
  stop(): Promise<void>
}

/** How an anvil exited. */
export interface AnvilEnd {
  /** `exit code 1`, `signal SIGKILL`. */
  readonly reason: string
  /** Its last lines of output. */
  readonly log: readonly string[]
}

const HOST = '127.0.0.1'
/** anvil starts in 0.1 s, but on a busy machine loading a large state file takes seconds. */
const START_TIMEOUT_MS = 30_000

interface Pending {
  listening(port: number, pid: number): void
  exited(end: AnvilEnd): void
}

/**
 * The anvils of one devnet, which stop together when this process ends for any reason (see supervisor.ts).
 */
export class SupervisedAnvils implements AsyncDisposable {
  readonly #supervisor: ChildProcess
  readonly #pending = new Map<number, Pending>()
  readonly #closed: Promise<void>
  #nextId = 0

  constructor() {
    // Next to this file with the same extension: .ts in development, .js when built.
    const entry = new URL(`./supervisor${extname(import.meta.url)}`, import.meta.url)
    this.#supervisor = fork(fileURLToPath(entry), [], {
      detached: true,
      // Flags of the parent (--test, loaders, --inspect) do not apply to it.
      execArgv: [],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    this.#closed = new Promise((resolve) => {
      this.#supervisor.once('exit', () => {
        this.#killGroup()
        const end = { reason: 'its supervisor ended', log: [] }
        for (const pending of this.#pending.values()) pending.exited(end)
        this.#pending.clear()
        resolve()
      })
    })
    // The channel is only written to while it is open; an error on it is followed by 'exit'.
    this.#supervisor.on('error', () => {})
    // The only sender is supervisor.ts, in the same version.
    this.#supervisor.on('message', (message) => this.#receive(message as FromSupervisor))
  }

  /**
   * Starts an anvil on `port`, or on a free port if that one is 0 or taken.
   *
   * @throws DevnetError `ANVIL_FAILED` with anvil's last lines, `ANVIL_NOT_INSTALLED`
   */
  async start(port: number, args: readonly string[]): Promise<Anvil> {
    try {
      return await this.#spawn(port, args)
    } catch (error) {
      const taken = error instanceof DevnetError && /address already in use/i.test(error.message)
      if (port === 0 || !taken) throw error
      return await this.#spawn(0, args)
    }
  }

  /** Stops all anvils and waits until they have written their state. */
  async stop(): Promise<void> {
    this.#send({ type: 'stop' })
    await this.#closed
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop()
  }

  async #spawn(port: number, args: readonly string[]): Promise<Anvil> {
    const id = this.#nextId++
    const ended = Promise.withResolvers<AnvilEnd>()
    const started = Promise.withResolvers<{ port: number; pid: number }>()
    const fail = (why: string) => started.reject(new DevnetError('ANVIL_FAILED', why))
    this.#pending.set(id, {
      listening: (actualPort, pid) => started.resolve({ port: actualPort, pid }),
      exited: (end) => {
        ended.resolve(end)
        fail(`anvil did not start: ${end.reason}\n${end.log.join('\n')}`)
      },
    })
    const timer = setTimeout(() => {
      this.#send({ type: 'kill', id })
      fail(`anvil did not start within ${START_TIMEOUT_MS} ms`)
    }, START_TIMEOUT_MS)
    this.#send({
      type: 'spawn',
      id,
      binary: anvilBinary(),
      args: ['--host', HOST, '--port', String(port), ...args],
    })
    try {
      const anvil = await started.promise
      return {
        ...anvil,
        rpcUrl: `http://${HOST}:${anvil.port}`,
        ended: ended.promise,
        stop: async () => {
          this.#send({ type: 'kill', id })
          await ended.promise
        },
      }
    } finally {
      clearTimeout(timer)
    }
  }

  #receive(message: FromSupervisor): void {
    const pending = this.#pending.get(message.id)
    if (message.type === 'listening') {
      pending?.listening(message.port, message.pid)
      return
    }
    this.#pending.delete(message.id)
    pending?.exited(message)
  }

  #send(message: ToSupervisor): void {
    if (this.#supervisor.connected) this.#supervisor.send(message)
  }

  /** If the supervisor itself was killed, its anvils remain in its process group. */
  #killGroup(): void {
    if (process.platform === 'win32' || this.#supervisor.pid === undefined) return
    try {
      process.kill(-this.#supervisor.pid, 'SIGKILL')
    } catch {
      // ESRCH: the group is empty, as it should be.
    }
  }
}

/**
 * Absolute path of anvil's platform binary.
 *
 * `@foundry-rs/anvil` is only a launcher, an extra process that could be left behind. The binary is in the
 * optional dependency for this platform, which pnpm makes visible only to the launcher, so the path is
 * resolved in two steps.
 *
 * @throws DevnetError `ANVIL_NOT_INSTALLED`
 */
function anvilBinary(): string {
  const arch = process.arch === 'x64' ? 'amd64' : process.arch
  const suffix = process.platform === 'win32' ? '.exe' : ''
  const platformPackage = `@foundry-rs/anvil-${process.platform}-${arch}`
  try {
    const launcher = createRequire(import.meta.url).resolve('@foundry-rs/anvil/bin.mjs')
    return createRequire(launcher).resolve(`${platformPackage}/bin/anvil${suffix}`)
  } catch (cause) {
    throw new DevnetError(
      'ANVIL_NOT_INSTALLED',
      `anvil is not installed: ${platformPackage} is missing. Install without --no-optional, on a platform that Foundry supports.`,
      { cause },
    )
  }
}
