import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { expect } from 'vitest'

/** A program in a folder, as in a person's shell: without the settings of the package manager that runs this test. */
export function startInFolder(
  program: string,
  parameters: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>> = {},
) {
  const own = Object.entries(process.env).filter(
    ([name]) =>
      !/^(npm_(config_user_agent|lifecycle|package)|TEST|VITEST|NODE_ENV|LOG_LEVEL|PORT|ORIGINS)/.test(name),
  )
  const child = spawn(program, parameters, {
    cwd,
    env: { ...Object.fromEntries(own), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output += chunk
    })
  const ended = once(child, 'exit')
  return {
    async succeed() {
      const [code] = await ended
      expect(code, `${program} ${parameters.join(' ')}\n${output}`).toBe(0)
      return output
    },
    async print(pattern: RegExp) {
      while (!pattern.test(output)) {
        if (child.exitCode !== null) throw new Error(`${program} ended early:\n${output}`)
        await delay(50)
      }
      return output
    },
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return
      process.kill(-child.pid, 'SIGTERM')
      await ended
    },
  }
}

/** Runs it to its end, and returns its output. */
export const runInFolder = (
  program: string,
  parameters: readonly string[],
  cwd: string,
  env?: Readonly<Record<string, string>>,
) => startInFolder(program, parameters, cwd, env).succeed()
