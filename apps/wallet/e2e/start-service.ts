import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { setTimeout as delay } from 'node:timers/promises'
import { freePorts } from '@lanyard/testing'

const main = createRequire(import.meta.url).resolve('@lanyard/api/main')

export interface RunningService extends AsyncDisposable {
  /** `http://localhost:…`: WebAuthn does not accept an IP address. */
  readonly url: string
  /** The RPC of its first local network. */
  readonly rpcUrl: string
  /** What it printed at its start. */
  readonly banner: string
}

declare module 'vitest' {
  interface ProvidedContext {
    /** Where a journey connects to the Chromium of all of them. */
    chromium?: string
    /** The services of the journeys that need no settings, one for each worker. Each journey has its own user. */
    services?: (Pick<RunningService, 'url' | 'rpcUrl' | 'banner'> & { readonly log: string })[]
  }
}

/** Time-out in milliseconds: three networks, a database and the contracts have to start. */
const startTimeout = 240_000

/**
 * Starts the service as `npm start` does: it serves the built wallet and runs three local networks on free
 * ports.
 *
 * @param settings - further environment variables.
 * @param hear - gets what it prints
 */
export async function startService(
  settings: Readonly<Record<string, string>> = {},
  hear: (text: string) => void = () => {},
): Promise<RunningService> {
  const devnetPort = await freePorts(3)
  const child = spawn(process.execPath, [main], {
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      PORT: '0',
      DEVNET_PORT: String(devnetPort),
      LOG_LEVEL: 'warn',
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output += chunk
      hear(String(chunk))
    })
  const ended = once(child, 'exit')

  async function stop() {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGTERM')
    const timer = setTimeout(() => child.kill('SIGKILL'), 60_000)
    await ended
    clearTimeout(timer)
  }

  for (const deadline = Date.now() + startTimeout; Date.now() < deadline && child.exitCode === null; ) {
    const port = /ready:\s+http:\/\/[^:]+:(\d+)/.exec(output)?.[1]
    if (port)
      return {
        url: `http://localhost:${port}`,
        rpcUrl: `http://127.0.0.1:${devnetPort}`,
        banner: output,
        [Symbol.asyncDispose]: stop,
      }
    await delay(50)
  }
  await stop()
  throw new Error(`The service did not start:\n${output}`)
}
