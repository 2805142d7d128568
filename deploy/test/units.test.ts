/** @module-tag all */
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseEnv } from 'node:util'
import { freshDatabase, type TestDatabase, testEngines } from '@lanyard/database/testing'
import { type DevnetNode, startNode, writeNetworksFile } from '@lanyard/devnet'
import { readyLine } from '@lanyard/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const apiKey = 'a-secret-of-32-characters-xxxxxx'

/** What npm installs beside the package, and which folder of the repository has it. */
const dependencies = { '@electric-sql/pglite': 'packages/database' }

/** A Node.js 20 of this machine, which is the oldest that the units may run; otherwise the one that runs the tests. */
function oldestNode(): string {
  const { stdout } = spawnSync('sh', ['-c', 'command -v -a node || which -a node'], { encoding: 'utf8' })
  const isOldest = (path: string) => {
    const { stdout: version } = spawnSync(path, ['--version'], { encoding: 'utf8' })
    return /^v20\.(1[6-9]|[2-9]\d)\./.test(version)
  }
  const paths = [...stdout.split('\n'), '/usr/bin/node', '/usr/local/bin/node'].filter(Boolean)
  return paths.find(isOldest) ?? process.execPath
}

/** The settings of a unit's file; those that may be repeated are joined by a space. */
function settingsOf(unit: string, instance: string): Record<string, string> {
  const settings: Record<string, string> = {}
  const text = read(`deploy/systemd/${unit}.service`).replaceAll('%i', instance)
  for (const [, name = '', value = ''] of text.matchAll(/^(\w+)=(.*)$/gm))
    settings[name] = [settings[name], value].filter(Boolean).join(' ')
  return settings
}

/** Two ports that are free: the one of an API's unit, and that of its metrics, which has a 1 before it. */
async function freeUnitPort(): Promise<string> {
  const isFree = async (port: number) => {
    const server = createServer()
    const listening = new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => resolve(true))
    })
    const free = await listening
    if (free) await new Promise((resolve) => server.close(resolve))
    return free
  }
  for (let port = 3_001; port < 5_000; port++)
    if ((await isFree(port)) && (await isFree(10_000 + port))) return String(port)
  throw new Error('No port is free')
}

/** Runs the units' commands as systemd would, with the folders of the documents in a temporary one. */
describe.skipIf(!testEngines().includes('postgresql'))('systemd units', () => {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), 'lanyard-units-')))
  const node = oldestNode()
  const here = (text: string) =>
    text
      .replaceAll('/srv/lanyard', join(directory, 'srv'))
      .replaceAll('/etc/lanyard', join(directory, 'etc'))
      .replaceAll('/usr/bin/node', node)
  const running = new Set<ChildProcess>()
  let chain: DevnetNode
  let database: TestDatabase

  beforeAll(async () => {
    const first = join(directory, 'srv/0.1.0')
    const modules = join(first, 'node_modules')
    const build = [join(root, 'apps/service/scripts/build.ts'), join(modules, '@lanyard/service')]
    execFileSync(process.execPath, build, { encoding: 'utf8' })
    // As npm would install them, without a registry.
    for (const [name, owner] of Object.entries(dependencies)) {
      mkdirSync(dirname(join(modules, name)), { recursive: true })
      symlinkSync(join(root, owner, 'node_modules', name), join(modules, name))
    }
    cpSync(first, join(directory, 'srv/0.2.0'), { recursive: true, verbatimSymlinks: true })
    symlinkSync('0.1.0', join(directory, 'srv/current'))

    const etc = join(directory, 'etc')
    mkdirSync(etc)
    chain = await startNode()
    await writeNetworksFile(join(etc, 'networks.json'), [chain])
    database = await freshDatabase('postgresql', { migrated: false })
    const tokenKey = execFileSync(process.execPath, [join(root, 'deploy/make-token-key.mjs')], {
      encoding: 'utf8',
    })
    const url = `DATABASE_URL=${database.url}\n`
    writeFileSync(join(etc, 'lanyard.env'), here(read('deploy/lanyard.env.example')))
    writeFileSync(join(etc, 'migrate.env'), url)
    writeFileSync(join(etc, 'worker.env'), `${url}TOKEN_KEY='${tokenKey.trim()}'\n`)
    writeFileSync(join(etc, 'api.env'), `${url}TOKEN_KEY='${tokenKey.trim()}'\nAPI_KEYS=server:${apiKey}\n`)
  })
  afterAll(async () => {
    for (const child of running) child.kill('SIGKILL')
    await chain?.stop()
    await database?.[Symbol.asyncDispose]()
    rmSync(directory, { recursive: true, force: true })
  })

  /** Starts a unit: its credentials in a folder of their own, its environment, its folder, its command. */
  function start(unit: string, instance = '') {
    const settings = settingsOf(unit, instance)
    const [credential = '', source = ''] = here(settings.LoadCredential ?? '').split(':')
    const credentials = mkdtempSync(join(directory, 'credentials-'))
    cpSync(source, join(credentials, credential))
    const [program = '', ...parameters] = here(settings.ExecStart ?? '')
      .replaceAll('$' + '{CREDENTIALS_DIRECTORY}', credentials) // no template: the text of the unit
      .split(' ')
    const own = (settings.Environment ?? '').split(' ').map((pair) => pair.split('='))
    const child = spawn(program, parameters, {
      cwd: here(settings.WorkingDirectory ?? ''),
      env: {
        ...parseEnv(readFileSync(here(settings.EnvironmentFile ?? ''), 'utf8')),
        ...Object.fromEntries(own),
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    running.add(child)
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
    const ended = once(child, 'exit').then(([code]) => {
      running.delete(child)
      return code
    })
    return {
      ended,
      output: () => output,
      /** The version whose folder the process runs in. */
      version: () => basename(readlinkSync(`/proc/${child.pid}/cwd`)),
      async ready() {
        await expect.poll(() => output).toMatch(readyLine)
        return this
      },
      async stop() {
        child.kill('SIGTERM')
        expect(await ended, output).toBe(0)
      },
    }
  }

  async function migrate(): Promise<string> {
    const { ended, output } = start('lanyard-migrate')
    expect(await ended, output()).toBe(0)
    return output()
  }

  /** Runs the line of the documents that switches the link. */
  function switchTo(version: string): void {
    const line = /^ln -s 0\.2\.0 .*$/m.exec(read('docs/self-hosting.md'))?.[0] ?? ''
    expect(line).toContain('mv -T')
    execFileSync('sh', ['-euc', here(line).replace('0.2.0', version)])
    expect(readlinkSync(join(directory, 'srv/current'))).toBe(version)
  }

  test.skipIf(process.platform !== 'linux')(
    'behavior: an upgrade switches the link, a restart starts the new version, and a way back is the same',
    async () => {
      const port = await freeUnitPort()
      const health = async () => (await fetch(`http://127.0.0.1:${port}/readyz`)).status
      const getPage = async () =>
        (await fetch(`http://127.0.0.1:${port}/docs/reference`, { headers: { accept: 'text/html' } })).status
      await migrate()
      const worker = await start('lanyard-worker').ready()
      let api = await start('lanyard-api@', port).ready()
      expect([worker.version(), api.version(), await health()]).toEqual(['0.1.0', '0.1.0', 200])

      switchTo('0.2.0')
      // Nothing that runs notices: what a process loads later comes from its own version.
      expect([api.version(), await health(), await getPage()]).toEqual(['0.1.0', 200, 200])
      await migrate()
      await worker.stop()
      const nextWorker = await start('lanyard-worker').ready()
      await api.stop()
      api = await start('lanyard-api@', port).ready()
      expect([nextWorker.version(), api.version(), await health(), await getPage()]).toEqual([
        ...['0.2.0', '0.2.0', 200],
        200,
      ])

      switchTo('0.1.0')
      await api.stop()
      api = await start('lanyard-api@', port).ready()
      expect([api.version(), await health()]).toEqual(['0.1.0', 200])
      await api.stop()
      await nextWorker.stop()
    },
  )

  test('behavior: every unit starts the service in one package, in the folder that the link names', () => {
    for (const unit of ['migrate', 'worker', 'api@', 'attestor@', 'settler', 'top-up', 'console']) {
      const { WorkingDirectory, ExecStart } = settingsOf(`lanyard-${unit}`, '3001')
      expect(WorkingDirectory).toBe('/srv/lanyard/current')
      expect(ExecStart).toMatch(
        /^\/usr\/bin\/node --env-file=\$\{CREDENTIALS_DIRECTORY\}\/secrets\.env node_modules\/@lanyard\/service\/dist\/(main\.js|lanyard\.js migrate)$/,
      )
    }
  })
})
