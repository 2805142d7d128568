/** @module-tag all */
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { createKeystore } from '@lanyard/signers'
import { randomPrivateKey } from '@lanyard/testing'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { afterAll, beforeAll, expect, test } from 'vitest'

/* The program as people start it. What it pays is tested with the service (apps/api/test/client/agent.test.ts). */

const cli = fileURLToPath(new URL('../src/cli.ts', import.meta.url))
const account = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const passphrase = 'a passphrase of this test'

let folder: string
let service: ReturnType<typeof createServer>
let url: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lanyard-mcp-'))
  // All that `init` reads of the service, and one page of its documentation.
  const networks = [{ network: 1, sessionKeys: '0x1de369C050d12c59EAB848C938932a347eaFa68c' }]
  service = createServer((request, response) => {
    if (request.url === '/docs/session-keys.md')
      return void response.setHeader('content-type', 'text/markdown').end('# Session keys')
    if (request.url?.startsWith('/docs/')) return void response.writeHead(404).end()
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ networks }))
  })
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(service.address() as AddressInfo).port}`
})
afterAll(async () => {
  service?.close()
  await rm(folder, { recursive: true })
})

const run = (args: readonly string[], env: Record<string, string> = {}) =>
  promisify(execFile)(process.execPath, [cli, '--home', folder, ...args], {
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      LANYARD_AGENT_PASSPHRASE: passphrase,
      ...env,
    },
  })

/** The message of a run that fails. */
const failure = (args: readonly string[], env: Record<string, string> = {}) =>
  run(args, env).then(
    () => 'it succeeded',
    ({ stderr, code }) => `${code}: ${stderr}`,
  )

test('init writes settings and keys that only their owner may read, once', async () => {
  const args = ['init', '--url', url, '--wallet', 'https://wallet.example', '--account', account]
  expect(await failure(['serve'])).toMatch(
    /^1: .*agent\.json cannot be read. Create it with: lanyard-mcp init/,
  )
  expect(await failure(['init', '--url', url])).toContain('1: --wallet is missing')
  expect(await failure(['init', '--url', url], { LANYARD_AGENT_PASSPHRASE: '' })).toContain(
    'LANYARD_AGENT_PASSPHRASE',
  )
  const { stdout } = await run([
    ...args,
    '--purse',
    '1',
    '--ceiling',
    '5',
    '--seller',
    'https://api.example.com',
  ])
  expect(stdout).toMatch(/Session key {2}0x[0-9a-fA-F]{40}\nPurse {8}0x[0-9a-fA-F]{40}\n/)
  for (const name of ['agent.json', 'session-key.json', 'purse-key.json']) {
    const { mode } = await stat(join(folder, name))
    expect(mode & 0o777).toBe(0o600)
  }
  const settings = JSON.parse(await readFile(join(folder, 'agent.json'), 'utf8'))
  expect(settings).toMatchObject({ account, key: 'keystore:session-key.json', purse: { ceiling: '5' } })
  expect(await failure(args)).toContain('already exists')
})

test('serve: MCP on standard input and output, and nothing else there', async () => {
  // A key file that opens at once; the standard takes a second for each guess.
  const path = join(folder, 'quick.json')
  await createKeystore({ path, privateKey: randomPrivateKey(), passphrase, scrypt: { n: 2, r: 1, p: 1 } })
  const settings = JSON.parse(await readFile(join(folder, 'agent.json'), 'utf8'))
  const { purse: _, ...rest } = settings
  await writeFile(
    join(folder, 'agent.json'),
    JSON.stringify({ ...rest, key: 'keystore:quick.json', contacts: { Bob: account } }),
  )
  const client = new Client({ name: 'a model', version: '1' })
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [cli, '--home', folder],
      env: { PATH: process.env.PATH ?? '', LANYARD_AGENT_PASSPHRASE: passphrase },
    }),
  )
  expect(client.getServerVersion()).toMatchObject({ name: 'lanyard' })
  const { tools } = await client.listTools()
  expect(tools.map(({ name }) => name)).toContain('send_payment')
  for (const { description, inputSchema } of tools) {
    expect(description).toMatch(/\.$/)
    expect(inputSchema).toMatchObject({ type: 'object' })
  }
  const { structuredContent } = await client.callTool({ name: 'list_contacts' })
  expect(structuredContent).toEqual({ contacts: [{ name: 'Bob', address: account }] })
  const { resources } = await client.listResources()
  expect(resources.map(({ uri }) => uri)).toEqual([
    ...['agents', 'session-keys', 'guides/let-an-agent-pay', 'errors'].map(
      (name) => `lanyard://documents/${name}`,
    ),
  ])
  const { contents } = await client.readResource({ uri: 'lanyard://documents/session-keys' })
  expect(contents).toMatchObject([{ mimeType: 'text/markdown', text: '# Session keys' }])
  await expect(client.readResource({ uri: 'lanyard://documents/errors' })).rejects.toThrow(
    'does not serve its documentation',
  )
  await client.close()
  expect(await failure(['serve'], { LANYARD_AGENT_PASSPHRASE: 'wrong' })).toContain('quick.json')
  expect(await failure(['serve', '--http'])).toContain('LANYARD_MCP_TOKEN')
  expect(await failure(['pay'])).toContain('There is no command pay')
  expect(await failure(['--pay'])).toContain('--pay')
})
