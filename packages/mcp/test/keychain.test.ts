/** @module-tag all */
import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'

/* The keychain of a Linux desktop: GNOME Keyring behind the Secret Service's D-Bus interface, on a bus of this test. */

const cli = fileURLToPath(new URL('../src/cli.ts', import.meta.url))
const account = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const lookup = 'secret-tool lookup service lanyard'

const missing = ['dbus-daemon', 'dbus-send', 'gnome-keyring-daemon', 'secret-tool'].filter(
  (program) => spawnSync(program, ['--version']).error !== undefined,
)
const why = missing.length > 0 ? ` (not run: this machine has no ${missing.join(', no ')})` : ''

describe.skipIf(missing.length > 0)(`the passphrase is in the system's keychain${why}`, () => {
  const stack = new AsyncDisposableStack()
  let folder: string
  let url: string
  let session: Record<string, string>

  beforeAll(async () => {
    const directory = await mkdtemp(join(tmpdir(), 'lanyard-keychain-'))
    stack.defer(() => rm(directory, { recursive: true }))
    folder = join(directory, 'agent')
    const own = { PATH: process.env.PATH ?? '', HOME: directory, XDG_RUNTIME_DIR: directory }
    const bus = start('dbus-daemon', ['--session', '--nofork', '--print-address'], own)
    session = { ...own, DBUS_SESSION_BUS_ADDRESS: await firstLine(bus) }
    const keyring = start(
      'gnome-keyring-daemon',
      ['--foreground', '--unlock', '--components=secrets'],
      session,
    )
    keyring.stdin?.end('the password of this login')
    // Until it has its name, a request would start another one, which is locked.
    await vi.waitUntil(hasSecretService, { timeout: 60_000 })
    url = await startEmptyService()
  })
  afterAll(() => stack.disposeAsync())

  function start(program: string, parameters: readonly string[], env: Record<string, string>): ChildProcess {
    const child = spawn(program, parameters, { env, stdio: ['pipe', 'pipe', 'ignore'] })
    stack.defer(async () => {
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill()
      await once(child, 'exit')
    })
    return child
  }

  const hasSecretService = async () => {
    const bus = 'org.freedesktop.DBus'
    const call = [`--dest=${bus}`, '/', `${bus}.NameHasOwner`, 'string:org.freedesktop.secrets']
    const { stdout } = await promisify(execFile)('dbus-send', ['--print-reply', ...call], { env: session })
    return stdout.includes('boolean true')
  }

  /** A service on which the account has no session. */
  async function startEmptyService() {
    const networks = [{ network: 1, sessionKeys: '0x1de369C050d12c59EAB848C938932a347eaFa68c' }]
    const server = createServer((_, response) => {
      response.setHeader('content-type', 'application/json').end(JSON.stringify({ sessions: [], networks }))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    stack.defer(() => void server.close())
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }

  const run = (...parameters: readonly string[]) =>
    promisify(execFile)(process.execPath, [cli, '--home', folder, ...parameters], { env: session })

  const init = () =>
    run(
      ...['init', '--url', url, '--wallet', 'https://wallet.example', '--account', account],
      ...['--passphrase-command', lookup],
    )

  test('init needs the passphrase, and encrypts the key with the one in the keychain', async () => {
    await expect(init()).rejects.toThrow('passphraseCommand failed: secret-tool')
    const store = start('secret-tool', ['store', '--label=Lanyard', 'service', 'lanyard'], session)
    store.stdin?.end('a passphrase that only the keychain knows')
    expect((await once(store, 'exit'))[0]).toBe(0)
    const { stdout } = await init()
    const [, sessionKey = ''] = /Session key {2}(0x\w{40})/.exec(stdout) ?? []
    const settings = await readFile(join(folder, 'agent.json'), 'utf8')
    expect(JSON.parse(settings)).toMatchObject({ passphraseCommand: lookup.split(' ') })
    expect(settings).not.toContain('only the keychain knows')
    expect((await run('status')).stdout).toContain(`session key ${sessionKey}`)
  })

  test('a model’s client starts the server, which opens the key', async () => {
    const client = new Client({ name: 'a model', version: '1' })
    const transport = new StdioClientTransport({
      ...{ command: process.execPath, args: [cli, '--home', folder], env: session },
    })
    await client.connect(transport)
    // The server opens the key before it answers anything.
    expect(await client.callTool({ name: 'list_contacts' })).toMatchObject({
      structuredContent: { contacts: [] },
    })
    await client.close()
  })

  test('without the entry, the key stays closed', async () => {
    const clear = start('secret-tool', ['clear', 'service', 'lanyard'], session)
    expect((await once(clear, 'exit'))[0]).toBe(0)
    await expect(run('status')).rejects.toThrow('passphraseCommand failed: secret-tool')
  })
})

/** The first line that a program prints once it is ready. */
async function firstLine({ stdout }: ChildProcess): Promise<string> {
  if (!stdout) throw new TypeError('Its output is a pipe.')
  const lines = createInterface(stdout)
  const [line] = await once(lines, 'line')
  stdout.resume()
  return String(line)
}
