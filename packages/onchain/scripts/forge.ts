/**
 * Runs forge with the given arguments: `node scripts/forge.ts test -vvv`. Its tests count in the summary at
 * the end of `npm test`.
 */
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { type FailedFile, writeSummary } from '@lanyard/testing/summary'
import { writeCommittedArtifacts } from './committed-code.ts'
import { forgeBinary } from './forge-binary.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const began = Date.now()
const child = spawn(forgeBinary(), process.argv.slice(2), {
  cwd: root,
  stdio: ['inherit', 'pipe', 'inherit'],
  // Both tiers test the committed code: compiling it takes longer than all its tests.
  ...(['fast', 'rest'].includes(process.env.TEST_TIER ?? '') && {
    env: { ...process.env, CONTRACT_ARTIFACTS: writeCommittedArtifacts() },
  }),
})
let lastOutput = ''
let compilations = 0
child.stdout.on('data', (chunk: Buffer) => {
  process.stdout.write(chunk)
  if (`${chunk}`.includes('Compiling ')) compilations++
  lastOutput = `${lastOutput}${chunk}`.slice(-200_000)
})
process.exitCode = await new Promise<number>((resolve, reject) => {
  child.once('error', reject)
  child.once('close', (code) => resolve(code ?? 1))
})

const counts = /: (\d+) tests passed, (\d+) failed, (\d+) skipped \(\d+ total tests\)/.exec(lastOutput)
if (counts) {
  const [passed = 0, failed = 0, skipped = 0] = counts.slice(1).map(Number)
  writeSummary({
    name: process.env.FOUNDRY_PROFILE === 'gas' ? 'gas' : 'forge',
    passed,
    failed,
    // forge repeats failures at the end.
    failures: [...new Set(lastOutput.match(/^\[FAIL.*$/gm))],
    failedFiles: failedFiles(lastOutput),
    skipped: skipped > 0 ? { 'skipped by forge': skipped } : {},
    engines: {},
    started: { 'forge compilations': compilations },
    seconds: (Date.now() - began) / 1000,
    ...(process.env.TEST_SEED && { seed: process.env.TEST_SEED }),
  })
}

/** forge lists the failing tests of each contract at the end, after `Encountered 1 failing test in file:contract`. */
function failedFiles(output: string): readonly FailedFile[] {
  const { FOUNDRY_PROFILE = 'default' } = process.env
  return output
    .split(/^Encountered (?=\d+ failing tests? in )/m)
    .slice(1)
    .map((section) => {
      const file = / in (\S+?):/.exec(section)?.[1]
      const command = ['node', 'scripts/forge.ts', 'test', '--match-path', file ?? '']
      return { ...(file && { file, command }), env: { FOUNDRY_PROFILE }, output: section }
    })
}
