/** @module-tag long */
/** @module-tag first */
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import Metro from 'metro'
import { afterAll, beforeAll, expect, test } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))

let directory: string
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'lanyard-expo-'))
})
afterAll(() => rm(directory, { recursive: true }))

/** The compiler of Hermes, which runs the code on phones. Undefined on a system for which there is none. */
function findHermes(): string | undefined {
  const folders: Readonly<Record<string, string>> = { linux: 'linux64-bin', darwin: 'osx-bin' }
  const folder = folders[process.platform]
  const reactNative = createRequire(import.meta.url).resolve('react-native/package.json')
  const hermes = dirname(createRequire(reactNative).resolve('hermes-compiler/package.json'))
  return folder && join(hermes, 'hermesc', folder, 'hermesc')
}

async function bundle(platform: 'ios' | 'android'): Promise<{ file: string; code: string }> {
  const config = await Metro.loadConfig({ cwd: root, config: join(root, 'metro.config.cjs') })
  const file = join(directory, `${platform}.js`)
  // Nothing of an earlier run, and no output.
  const quiet = { ...config, cacheStores: [], maxWorkers: 1, reporter: { update: () => {} } }
  await Metro.runBuild(quiet, { entry: 'index.js', out: file, platform, dev: false, minify: false })
  return { file, code: await readFile(file, 'utf8') }
}

// The other system has the same modules of ours, and takes as long.
test('default: Metro bundles the app for Android, and Hermes compiles it', async () => {
  const { file, code } = await bundle('android')
  expect(code).toContain('lanyard.react.accounts')
  expect(code).toContain('https://wallet.example')
  // Parts for pages and servers stay out.
  for (const part of ['tiny-secp256k1', 'WebAuthnAbortService']) expect(code).not.toContain(part)
  const hermes = findHermes()
  if (!hermes) return
  await promisify(execFile)(hermes, ['-emit-binary', '-O0', '-w', '-out', `${file}.hbc`, file])
  expect((await stat(`${file}.hbc`)).size).toBeGreaterThan(100_000)
})

test('behavior: Metro bundles it for iOS', { tags: ['long'] }, async () => {
  expect((await bundle('ios')).code).toContain('lanyard.react.accounts')
})
