/** @module-tag all */

/**
 * What a failing run leaves behind, from a package of its own: a test that only fails beside others, one that always
 * fails, a hook that fails, and an unhandled rejection.
 */
import { spawnSync } from 'node:child_process'
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { repeat } from '../src/repeat/repeat.ts'
import { planRepetitions } from '../src/repeat/verdict.ts'
import type { RunSummary } from '../src/summary.ts'

const own = fileURLToPath(new URL('..', import.meta.url))
const root = mkdtempSync(join(tmpdir(), 'lanyard-evidence-'))
const folder = 'package'
const cwd = join(root, folder)

const files: Readonly<Record<string, string>> = {
  'vitest.config.ts': `import { testConfig } from '@lanyard/testing/config'
    export default testConfig()`,
  'test/unstable.test.ts': `import { execFileSync, spawn } from 'node:child_process'
    import { once } from 'node:events'
    import { createServer } from 'node:http'
    import { keepSource, logEvidence } from '@lanyard/testing'
    import { expect, test } from 'vitest'
    test('pays once', async () => {
      const child = spawn('sh', ['-c', 'echo the node is lost >&2; exit 3'])
      let read = ''
      child.stderr.on('data', (chunk) => { read += chunk })
      await once(child, 'close')
      expect(read).toBe('the node is lost\\n')
      logEvidence('service').write('{"msg":"no answer"}\\n')
      keepSource('page.html', async () => '<p>broken</p>')
      const server = createServer((_, response) => response.writeHead(502).end('bad gateway')).listen(0)
      await once(server, 'listening')
      await fetch(\`http://127.0.0.1:\${server.address().port}/pay\`, { method: 'POST', body: 'eth_call' }).then((r) => r.text())
      server.close()
      expect(process.env.TEST_REPEATED).toBe('1')
    })`,
  'test/broken.test.ts': `import { expect, test } from 'vitest'
    test('adds', () => expect(1 + 1).toBe(3))`,
  'test/hook.test.ts': `import { beforeAll, describe, expect, test } from 'vitest'
    describe('suite', () => {
      beforeAll(() => { throw new Error('no database') })
      test('reads', () => {})
    })`,
  'test/unhandled.test.ts': `import { test } from 'vitest'
    test('forgets a promise', async () => {
      void Promise.reject(new Error('forgotten'))
      await new Promise((resolve) => setTimeout(resolve, 10))
    })`,
}

let summary: RunSummary

beforeAll(() => {
  mkdirSync(join(cwd, 'test'), { recursive: true })
  symlinkSync(join(own, 'node_modules'), join(cwd, 'node_modules'))
  for (const [name, text] of Object.entries(files))
    writeFileSync(
      join(cwd, name),
      text
        .replaceAll('@lanyard/testing/config', join(own, 'src/config.ts'))
        .replaceAll('@lanyard/testing', join(own, 'src/index.ts')),
    )
  const env = { ...process.env, TEST_TIER: 'fast', TEST_SEED: '7', TEST_REPEATED: '' }
  const { status } = spawnSync(join(own, 'node_modules/.bin/vitest'), ['run'], { cwd, env })
  expect(status).toBe(1)
  summary = JSON.parse(readFileSync(join(cwd, 'artifacts/tests/fast-tests.json'), 'utf8'))
})

afterAll(() => rmSync(root, { recursive: true, force: true }))

const evidence = (path: string) => {
  const [file] = globSync(`artifacts/failures/${path}`, { cwd })
  return file ? readFileSync(join(cwd, file), 'utf8') : undefined
}

test('default: each failed file is named, with the command that repeats it', () => {
  const expected = ['broken', 'hook', 'unhandled', 'unstable'].map((name) => `test/${name}.test.ts`)
  expect(summary.failedFiles.map(({ file }) => file).toSorted()).toEqual(expected)
  for (const { file, command } of summary.failedFiles)
    expect(command).toEqual(['vitest', 'run', '--config', 'vitest.config.ts', file])
})

test('behavior: a failed test leaves its error, and what its processes, its service and its page said', () => {
  const at = 'test-unstable-test-ts/pays-once'
  expect(evidence(`${at}/errors.txt`)).toContain("expected '' to be '1'")
  expect(evidence(`${at}/*-sh-*.log`)).toMatch(/^the node is lost\n\n\(ended with 3 at /)
  expect(evidence(`${at}/*-service.log`)).toBe('{"msg":"no answer"}\n')
  expect(evidence(`${at}/*-page.html`)).toBe('<p>broken</p>')
  expect(evidence(`${at}/*-requests.log`)).toMatch(/POST \S+\/pay > eth_call\n.* 502\n.* < bad gateway\n/)
})

test('behavior: a failed hook leaves its error', () => {
  expect(evidence('test-hook-test-ts/hooks/errors.txt')).toContain('no database')
})

test('behavior: alone, one passes and the other fails again', async () => {
  const run = { ...summary, package: 'package', folder, isCached: false }
  const { repetitions } = planRepetitions({ fast: { runs: [run], seed: '7', outsideOfTests: [] } })
  const repeated = []
  for (const repetition of repetitions.filter(({ file }) => /broken|unstable/.test(file)))
    repeated.push(await repeat(root, repetition, () => {}))
  const outcome = Object.fromEntries(repeated.map(({ file, hasPassed }) => [file, hasPassed]))
  expect(outcome).toEqual({
    'test/broken.test.ts': false,
    'test/unstable.test.ts': true,
  })
  expect(repeated.find(({ file }) => file === 'test/broken.test.ts')?.second).toContain('expected 2 to be 3')
})
