/** @module-tag long */
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { createKeystore } from '@lanyard/signers'
import { randomPrivateKey } from '@lanyard/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'

/*
 * The checks of the MCP inspector, fetched by npx: it brings Vite, React and a terminal interface, which is too much for a
 * dependency. Its lighter first version is deprecated.
 */

const cli = fileURLToPath(new URL('../src/cli.ts', import.meta.url))
const inspector = '@modelcontextprotocol/inspector@2.12.0'
const passphrase = 'a passphrase of this test'
const account = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lanyard-inspector-'))
  for (const name of ['session', 'purse']) {
    const path = join(folder, `${name}.json`)
    await createKeystore({ path, privateKey: randomPrivateKey(), passphrase, scrypt: { n: 2, r: 1, p: 1 } })
  }
  const settings = {
    ...{ url: 'http://127.0.0.1:1', walletUrl: 'https://wallet.example', account, name: 'Shopper' },
    ...{ sessionKeys: '0x1de369C050d12c59EAB848C938932a347eaFa68c', origin: 'http://localhost:7402' },
    ...{ key: 'keystore:session.json', contacts: { Bob: account } },
    purse: { network: 1, key: 'keystore:purse.json', ceiling: '5', sellers: ['https://api.example.com'] },
  }
  await writeFile(join(folder, 'agent.json'), JSON.stringify(settings))
})
afterAll(() => rm(folder, { recursive: true }))

const inspect = async (...args: readonly string[]) => {
  const server = [process.execPath, cli, '--home', folder]
  const { stdout } = await promisify(execFile)('npx', [
    ...['--yes', inspector, '--cli', '-e', `LANYARD_AGENT_PASSPHRASE=${passphrase}`, ...server, ...args],
  ])
  return JSON.parse(stdout)
}

test('behavior: the inspector finds no schema of a tool that other clients cannot read', async () => {
  // With --strict it exits with 6 if it finds one.
  const { tools } = await inspect('--method', 'tools/list', '--strict')
  const names = tools.map(({ name }: { name: string }) => name)
  expect(names).toEqual(expect.arrayContaining(['send_payment', 'pay_url']))
  expect(names).toHaveLength(11)
})

test('behavior: the inspector calls a tool, and reads the document for agents', async () => {
  const { structuredContent } = await inspect('--method', 'tools/call', '--tool-name', 'list_contacts')
  expect(structuredContent).toEqual({ contacts: [{ name: 'Bob', address: account }] })
  const { resources } = await inspect('--method', 'resources/list')
  const uri = 'lanyard://documents/agents'
  expect(resources).toContainEqual(expect.objectContaining({ uri }))
  const { contents } = await inspect('--method', 'resources/read', '--uri', uri)
  expect(contents).toMatchObject([
    { mimeType: 'text/markdown', text: expect.stringContaining('session key') },
  ])
})
