import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freePorts } from './free-ports.ts'

const main = fileURLToPath(import.meta.resolve('@lanyard/api/src/main.ts'))

export interface RunningService extends AsyncDisposable {
  /** `http://localhost:…`: WebAuthn takes no IP address. */
  readonly url: string
}

/** Milliseconds: three networks, a database and the contracts. */
const startBound = 60_000

/** The service as `npm start` runs it: it serves the built wallet, and has its three local networks, on free ports. */
export async function startService(): Promise<RunningService> {
  const child = spawn(process.execPath, [main], {
    env: {
      PATH: process.env.PATH,
      PORT: '0',
      DEVNET_PORT: String(await freePorts(3)),
      LOG_LEVEL: 'warn',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output += chunk
    })
  const ended = once(child, 'exit')

  async function stop() {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGTERM')
    const timer = setTimeout(() => child.kill('SIGKILL'), 6_000)
    await ended
    clearTimeout(timer)
  }

  for (const deadline = Date.now() + startBound; Date.now() < deadline && child.exitCode === null; ) {
    const port = /ready:\s+http:\/\/[^:]+:(\d+)/.exec(output)?.[1]
    if (port) return { url: `http://localhost:${port}`, [Symbol.asyncDispose]: stop }
    await delay(50)
  }
  await stop()
  throw new Error(`The service did not start:\n${output}`)
}
