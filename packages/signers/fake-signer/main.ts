#!/usr/bin/env node
/**
 * Runs the fake signer as a process:
 * `node packages/signers/fake-signer/main.ts --keystores DIR --passphrase-file FILE`.
 */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { privateKeyToAddress } from 'viem/accounts'
import { openKeystore } from '../src/keystore.ts'
import { startFakeSigner } from './server.ts'

const { values } = parseArgs({
  options: {
    keystores: { type: 'string' },
    'passphrase-file': { type: 'string' },
    port: { type: 'string', default: '9000' },
    host: { type: 'string', default: '127.0.0.1' },
    'token-file': { type: 'string' },
    'tls-cert': { type: 'string' },
    'tls-key': { type: 'string' },
    'tls-ca': { type: 'string' },
  },
})

const readLine = async (path: string) => (await readFile(path, 'utf8')).trim()

async function readTls() {
  const { 'tls-cert': cert, 'tls-key': key, 'tls-ca': ca } = values
  if (cert === undefined || key === undefined) return undefined
  return {
    cert: await readFile(cert, 'utf8'),
    key: await readFile(key, 'utf8'),
    ...(ca !== undefined && { ca: await readFile(ca, 'utf8') }),
  }
}

async function main(): Promise<void> {
  const { keystores, 'passphrase-file': passphraseFile, port, host, 'token-file': tokenFile } = values
  if (keystores === undefined || passphraseFile === undefined) {
    throw new TypeError('needed: --keystores <directory> --passphrase-file <file>')
  }
  const passphrase = await readLine(passphraseFile)
  const files = (await readdir(keystores)).filter((name) => name.endsWith('.json')).sort()
  const keys = await Promise.all(files.map((name) => openKeystore(join(keystores, name), passphrase)))
  const fakeSigner = await startFakeSigner({
    keys,
    host,
    port: Number(port),
    token: tokenFile === undefined ? undefined : await readLine(tokenFile),
    tls: await readTls(),
  })
  process.stdout.write(
    `Signing at ${fakeSigner.url} for ${keys.map((key) => privateKeyToAddress(key)).join(', ')}\n`,
  )
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void fakeSigner.close().then(() => process.exit(0)))
  }
}

await main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
})
