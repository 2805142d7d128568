import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { platform } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Bench } from '../bench.ts'
import { freePort } from '../programs/free-port.ts'
import { memoryOf, processTree } from '../programs/process-tree.ts'
import { median } from '../report/statistics.ts'
import { versionsOf } from '../report/versions.ts'

const root = fileURLToPath(new URL('../../../..', import.meta.url))
const rounds = 5

/** Milliseconds until a start counts as failed. */
const startBound = 120_000

/** Milliseconds after the first healthy answer, by which memory used only for the start has been released. */
const settling = 3_000

interface Start {
  /** Until `/health` answers 200. */
  readonly ms: number
  /** Memory of npm, the service, the local networks and their supervisors, after `settling`. */
  readonly mebibytes: number
}

/** `npm start`, the second time. */
export const startupBench: Bench = {
  name: 'startup',
  async run(progress) {
    if (platform() !== 'linux') throw new Error('This bench reads /proc, which only Linux has.')
    progress('the first start, which fills the caches')
    await start()
    const starts: Start[] = []
    for (let round = 1; round <= rounds; round++) {
      const one = await start()
      progress(`start ${round} of ${rounds}: ${Math.round(one.ms)} ms, ${Math.round(one.mebibytes)} MiB`)
      starts.push(one)
    }
    const whenMissed =
      'the start is limited by the processor (loading modules, PGlite), so other work on the machine slows it down.'
    return {
      title: 'Start',
      method: `\`npm start\` with everything installed and built, on free ports and without DATA_DIR: three local networks, PGlite and the service. Median of ${rounds} starts. Memory is the sum of all processes (PSS, which counts shared pages once), ${settling / 1000} s after the first healthy answer.`,
      versions: versionsOf('@lanyard/devnet'),
      comparisons: [
        {
          what: '`npm start` until `/health` answers 200',
          unit: 'ms',
          ours: median(starts.map(({ ms }) => ms)),
          goal: { of: 'ours', bound: 'at most', value: 5_000 },
          whenMissed,
        },
        {
          what: 'Memory of all its processes',
          unit: 'MiB',
          ours: median(starts.map(({ mebibytes }) => mebibytes)),
          goal: { of: 'ours', bound: 'at most', value: 500 },
        },
      ],
    }
  },
}

async function start(): Promise<Start> {
  const port = await freePort()
  const began = performance.now()
  const child = spawn('npm', ['start'], {
    cwd: root,
    env: { ...process.env, PORT: String(port), DEVNET_PORT: String(await freePort()), LOG_LEVEL: 'warn' },
    stdio: 'ignore',
  })
  const ended = once(child, 'exit')
  try {
    while (!(await isHealthy(port))) {
      if (child.exitCode !== null) throw new Error(`npm start ended with ${child.exitCode}`)
      if (performance.now() - began > startBound) throw new Error('npm start did not become healthy')
      await delay(20)
    }
    const ms = performance.now() - began
    await delay(settling)
    const processes = child.pid === undefined ? [] : processTree(child.pid)
    return { ms, mebibytes: processes.map(memoryOf).reduce((sum, one) => sum + one, 0) }
  } finally {
    child.kill('SIGTERM')
    await ended
  }
}

const isHealthy = (port: number) =>
  fetch(`http://127.0.0.1:${port}/health`).then(
    async (response) => {
      await response.arrayBuffer()
      return response.status === 200
    },
    () => false,
  )
