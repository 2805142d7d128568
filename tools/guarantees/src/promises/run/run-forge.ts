import { join } from 'node:path'
import type { Suite } from '../promise.ts'
import { pathOf, type RunOutcome } from './outcome.ts'
import { parseForge } from './parse-forge.ts'
import { runProgram } from './run-program.ts'

/**
 * Runs the Solidity tests of a suite's folders or files. The long run makes more calls
 * (`FOUNDRY_PROFILE=ci`).
 */
export async function runForge(
  suite: Suite,
  { promise, root, long }: { readonly promise: number; readonly root: string; readonly long: boolean },
): Promise<RunOutcome> {
  const began = performance.now()
  const { output, errors } = await runProgram({
    name: process.execPath,
    parameters: [
      'scripts/forge.ts',
      'test',
      '--json',
      '--match-path',
      `{${suite.files.map((file) => (file.endsWith('.sol') ? file : `${file}/*.sol`)).join(',')}}`,
    ],
    folder: join(root, suite.package),
    env: long ? { FOUNDRY_PROFILE: 'ci' } : {},
  })
  const json = output.split('\n').find((line) => line.startsWith('{'))
  if (json === undefined) throw new Error(`forge wrote no report:\n${output}\n${errors}`)
  const { files, figures } = parseForge(json, promise, suite.files)
  const milliseconds = Math.round((performance.now() - began) / files.length)
  return {
    files: files.map((file) => ({ ...file, file: pathOf(suite, file.file), milliseconds })),
    figures,
  }
}
