/** @module-tag all */
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { createKeystore } from '@lanyard/signers'
import { startFakeSigner } from '@lanyard/signers/fake-signer'
import { randomPrivateKey } from '@lanyard/testing'
import { type Address, type Hex, zeroHash } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { expect, onTestFinished, test } from 'vitest'
import { openAgent } from '../src/agent/open-agent.ts'

/* Where an agent's keys can be. What such an agent pays is tested with the service (apps/api/test/client/agent-keys.test.ts). */

const cli = fileURLToPath(new URL('../src/cli.ts', import.meta.url))
const account = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const passphrase = 'a passphrase of this test'

/** A folder with an agent's settings, and a key file that opens at once. */
async function createFolder(settings: object) {
  const folder = await mkdtemp(join(tmpdir(), 'lanyard-mcp-keys-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const privateKey = randomPrivateKey()
  const scrypt = { n: 2, r: 1, p: 1 }
  await createKeystore({ path: join(folder, 'key.json'), privateKey, passphrase, scrypt })
  const path = join(folder, 'agent.json')
  const sessionKeys = '0x1de369C050d12c59EAB848C938932a347eaFa68c'
  const all = {
    ...{ url: 'http://127.0.0.1:1', walletUrl: 'https://wallet.example', account, sessionKeys },
    ...{ name: 'Agent', origin: 'https://agent.example', key: 'keystore:key.json', ...settings },
  }
  await writeFile(path, JSON.stringify(all))
  return { folder, path, address: privateKeyToAccount(privateKey).address }
}

/** The command of a program that runs this script. */
const program = (script: string) => [process.execPath, '-e', script]

test('default: passphraseCommand opens the key file, with the first line that it prints', async () => {
  const script = `console.log(${JSON.stringify(passphrase)}); console.log('a note of the keychain')`
  const { path, address } = await createFolder({ passphraseCommand: program(script) })
  const { agent } = await openAgent(path)
  expect(agent.signer.sessionKey).toBe(address)
})

test('behavior: passphraseCommand gets its arguments as they are, without a shell', async () => {
  const script = 'console.log(process.argv[1])'
  const { path, address } = await createFolder({ passphraseCommand: [...program(script), passphrase] })
  expect((await openAgent(path)).agent.signer.sessionKey).toBe(address)
  const untouched = await createFolder({ passphraseCommand: [...program(script), '$(echo expanded)'] })
  await expect(openAgent(untouched.path)).rejects.toThrow('key.json')
})

test('behavior: a passphrase in the environment comes first', async () => {
  const { path, address } = await createFolder({ passphraseCommand: program('process.exit(1)') })
  expect((await openAgent(path, { passphrase })).agent.signer.sessionKey).toBe(address)
})

test.each([
  ['fails', program('process.exit(44)'), 'passphraseCommand failed'],
  ['does not exist', ['/nowhere/secret-tool'], 'passphraseCommand failed: /nowhere/secret-tool'],
  ['prints another passphrase', program("console.log('another')"), 'key.json'],
  ['prints nothing', program(''), 'key.json'],
])('error: a passphraseCommand that %s', async (_, passphraseCommand, message) => {
  const { path } = await createFolder({ passphraseCommand })
  await expect(openAgent(path)).rejects.toThrow(message)
})

/** The program, as people start it, with nothing about the passphrase in its environment. */
const runStatus = (folder: string) =>
  promisify(execFile)(process.execPath, [cli, '--home', folder, 'status'], {
    env: { PATH: process.env.PATH ?? '' },
  })

/** A service on which the account has no session. */
async function startEmptyService() {
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'application/json').end('{"sessions":[],"networks":[]}')
  })
  onTestFinished(() => void server.close())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

test('behavior: the program reads the passphrase from passphraseCommand', async () => {
  const url = await startEmptyService()
  const passphraseCommand = program(`console.log(${JSON.stringify(passphrase)})`)
  const { folder, address } = await createFolder({ url, passphraseCommand })
  expect((await runStatus(folder)).stdout).toContain(`session key ${address}`)
  const without = await createFolder({ url })
  await expect(runStatus(without.folder)).rejects.toThrow('LANYARD_AGENT_PASSPHRASE, or passphraseCommand')
})

/** What a session key signs, in short. */
const typedData = {
  domain: { chainId: 1, verifyingContract: account },
  types: { SafeOp: [{ name: 'safe', type: 'address' }] },
  primaryType: 'SafeOp',
  message: { safe: account },
} as const

test('behavior: a key at a remote signer signs, and the signer sees what it signs', async () => {
  const [privateKey, purseKey] = [randomPrivateKey(), randomPrivateKey()]
  const seen: Hex[] = []
  await using signer = await startFakeSigner({
    keys: [purseKey, privateKey],
    beforeSigning: ({ data }) => void seen.push(data),
  })
  const local = privateKeyToAccount(privateKey)
  const purse = privateKeyToAccount(purseKey)
  const { path } = await createFolder({
    ...{ key: `remote:${local.address}`, signerUrl: signer.url },
    purse: { network: 1, key: `remote:${purse.address}`, ceiling: '5' },
  })
  const opened = await openAgent(path)
  expect(opened.agent.signer.sessionKey).toBe(local.address)
  const signature = await opened.agent.signer.sign(zeroHash, typedData as never)
  expect(signature).toBe(await local.signTypedData(typedData))
  expect(await opened.purse?.account.signTypedData(typedData)).toBe(await purse.signTypedData(typedData))
  expect(seen.map((data) => data.slice(0, 6))).toEqual(['0x1901', '0x1901'])
})

test('error: a remote signer that is not named, does not have the key, or fails', async () => {
  const { address } = privateKeyToAccount(randomPrivateKey())
  const key = `remote:${address}` as const
  const unnamed = await createFolder({ key })
  await expect(openAgent(unnamed.path)).rejects.toThrow('A remote key needs signerUrl')

  const privateKey = randomPrivateKey()
  await using signer = await startFakeSigner({
    keys: [privateKey],
    beforeSigning: () => {
      throw new Error('a rule of this signer')
    },
  })
  const signWith = async (sessionKey: Address) => {
    const { path } = await createFolder({ key: `remote:${sessionKey}`, signerUrl: signer.url })
    const { agent } = await openAgent(path)
    return agent.signer.sign(zeroHash, typedData as never)
  }
  for (const sessionKey of [address, privateKeyToAccount(privateKey).address]) {
    await expect(signWith(sessionKey)).rejects.toThrow(/^The signer of this agent's keys did not sign/)
  }
})
