import { spawn } from 'node:child_process'
import { globSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { stripVTControlCharacters } from 'node:util'
import type { RunSummary } from '../summary.ts'
import { repeatedSummaryFolder } from '../summary-folder.ts'
import type { Repeated, Repetition } from './verdict.ts'

/**
 * Runs one file again, alone. It has passed if it ends with 0 and at least one test passed: a skipped file shows nothing.
 *
 * @param root the repository's
 * @param print where its output goes
 */
export async function repeat(
  root: string,
  repetition: Repetition,
  print: (chunk: Uint8Array) => void,
): Promise<Repeated> {
  const { folder, command, env } = repetition
  const cwd = join(root, folder)
  rmSync(join(cwd, repeatedSummaryFolder), { recursive: true, force: true })
  const programs = [join(cwd, 'node_modules/.bin'), join(root, 'node_modules/.bin'), process.env.PATH].join(
    ':',
  )
  const [program = '', ...parameters] = command
  const child = spawn(program, parameters, {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env, TEST_REPEATED: '1', PATH: programs },
  })
  let second = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      print(chunk)
      second += chunk
    })
  const code = await new Promise<number>((resolve) => {
    child.once('error', (error) => {
      second += error.message
      resolve(1)
    })
    child.once('close', (exitCode) => resolve(exitCode ?? 1))
  })
  const passed = globSync(`${repeatedSummaryFolder}/*.json`, { cwd }).reduce((sum, path) => {
    const summary: RunSummary = JSON.parse(readFileSync(join(cwd, path), 'utf8')) // written by writeSummary
    return sum + summary.passed
  }, 0)
  return { ...repetition, second: stripVTControlCharacters(second), hasPassed: code === 0 && passed > 0 }
}
