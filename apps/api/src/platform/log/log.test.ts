// @promise 12
import { generateKeyPairSync } from 'node:crypto'
import { networkConfig } from '@lanyard/networks'
import { randomPrivateKey } from '@lanyard/testing'

import { expect, test, vi } from 'vitest'
import { newKeyText } from '../../domain/accounts/api-keys/key-text.ts'
import type { HttpRequestContext } from '../../http/http-request-context.ts'
import { readEnv } from '../environment/env.ts'
import { hideSecrets } from '../secrets/hidden-secrets.ts'
import { secretsOfEnv, secretsOfNetwork } from '../secrets/secrets-of.ts'
import { runInRequest } from './current-request.ts'
import { createLog } from './log.ts'

function startLog() {
  const lines: string[] = []
  const write = (line: string) => void lines.push(line)
  return { lines, log: createLog({ LOG_LEVEL: 'trace' }, { write }) }
}

test('default: lines are readable in a terminal', () => {
  const isTerminal = process.stdout.isTTY
  const written: string[] = []
  const write = vi.spyOn(process.stdout, 'write').mockImplementation((line) => written.push(String(line)) > 0)
  try {
    process.stdout.isTTY = true
    createLog({ LOG_LEVEL: 'warn' }).warn({ network: 31337 }, 'it is slow')
    createLog({ LOG_LEVEL: 'warn' }).debug('below the level')
  } finally {
    process.stdout.isTTY = isTerminal
    write.mockRestore()
  }
  expect(written.map((line) => line.replace(/^[\d:]+/, 'time'))).toEqual([
    'time WARN  it is slow {"network":31337}\n',
  ])
})

test('behavior: secrets are hidden in fields with secret names and in any text', () => {
  const { lines, log } = startLog()
  const secret = 'canary"with\\signs-and-more'
  hideSecrets([secret])
  log.info({ authorization: 'one', deep: { more: { privateKey: 'two' } } }, 'fields')
  log.error({ err: new Error(`failed at ${secret}`, { cause: new Error(secret) }), [secret]: 1 }, secret)
  log.child({ place: secret }).warn({ list: [secret, { nested: secret.toUpperCase() }] })
  const written = lines.join('')
  for (const line of lines) expect(() => JSON.parse(line)).not.toThrow()
  expect(written).not.toMatch(/"one"|"two"|canary/i)
  expect(written).toContain('[hidden]')
})

test('behavior: the parameters of a failed statement are not logged', () => {
  const { lines, log } = startLog()
  const failed = Object.assign(new Error('no space'), { query: 'insert', params: ['of a user'] })
  log.error({ err: failed }, 'failed')
  log.error(failed)
  expect(lines).toHaveLength(2)
  for (const line of lines) {
    expect(JSON.parse(line).err).toMatchObject({ message: 'no space', query: 'insert' })
    expect(line).not.toContain('of a user')
  }
})

test('behavior: shortens the data of a request that failed', () => {
  const { lines, log } = startLog()
  const hash = `0x${'ab'.repeat(32)}`
  log.error({ err: new Error(`${hash} failed: 0x${'12'.repeat(30_000)}`) }, 'failed')
  const [line = ''] = lines
  expect(line.length).toBeLessThan(4_000)
  expect(JSON.parse(line).err.message).toBe(`${hash} failed: 0x${'12'.repeat(32)}…`)
})

test('behavior: thrown values that are not errors are logged unchanged', () => {
  const { lines, log } = startLog()
  for (const err of ['a text', null, undefined, 7]) log.error({ err }, 'failed')
  expect(lines.map((line) => JSON.parse(line).err)).toEqual(['a text', null, undefined, 7])
})

test('behavior: every line logged during a request has its request id once', () => {
  const { lines, log } = startLog()
  const requestLog = log.child({ requestId: 'one' })
  const context = { requestId: 'one', log: requestLog } as HttpRequestContext // no other member is read
  runInRequest(context, () => {
    log.info('from elsewhere')
    requestLog.info('from the handler')
  })
  log.info('afterwards')
  expect(lines.map((line) => line.split('"requestId":"one"').length - 1)).toEqual([1, 1, 0])
})

test('behavior: API keys and tokens are hidden by their form', () => {
  const { lines, log } = startLog()
  const { id, key } = newKeyText('secret')
  const token = `eyJhbGciOiJFZERTQSJ9.${'a'.repeat(40)}.${'b'.repeat(40)}`
  log.info({ given: `Bearer ${key}`, other: token })
  expect(lines[0]).toContain(`"given":"Bearer ${id}[hidden]"`)
  expect(lines[0]).not.toMatch(/aaaa|bbbb/)
})

test('behavior: every secret of the environment and of a network is hidden', () => {
  const { lines, log } = startLog()
  const jwk = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' })
  const keys = [1, 2, 3, 4, 5].map(() => randomPrivateKey())
  const [relayer, operator, attestor, otherAttestor, settler] = keys
  const env = readEnv({
    API_KEYS: 'server:canary-of-api-keys',
    RELAYER_PRIVATE_KEYS: relayer ?? '',
    OPERATOR_PRIVATE_KEY: operator ?? '',
    ATTESTOR_PRIVATE_KEYS: `${attestor},${otherAttestor}`,
    SETTLER_PRIVATE_KEY: settler ?? '',
    KEYSTORE_PASSPHRASE: 'canary of a passphrase',
    SIGNER_URL: 'https://signer.example/canary-in-signer',
    TOKEN_KEY: JSON.stringify(jwk),
    DATABASE_URL: 'postgresql://postgres:canary%20password@db.example/postgres',
  })
  const network = networkConfig.parse({
    chainId: 1,
    name: 'Real',
    rpcUrls: ['https://rpc.example/v2/canary-in-path', 'https://me:canary-basic@rpc.example'],
    bundler: { kind: 'remote', url: 'https://bundler.example/?apikey=canary-in-query' },
  })
  hideSecrets([...secretsOfEnv(env), ...secretsOfNetwork(network)])
  const secrets = [
    ...keys,
    jwk.d,
    ...env.API_KEYS.map(({ secret }) => secret),
    env.DATABASE_URL,
    'canary password',
    'canary of a passphrase',
    'POST /canary-in-signer',
    ...network.rpcUrls,
    'URL: https://bundler.example/?apikey=canary-in-query failed',
    'GET /v2/canary-in-path',
    'canary-basic',
  ]
  for (const secret of secrets) log.info({ err: new Error(secret) }, String(secret))
  const written = lines.join('')
  for (const secret of [...keys.map((key) => key.slice(2)), jwk.d ?? ''])
    expect(written).not.toContain(secret)
  expect(written).not.toContain('canary')
  // Text that is not secret stays readable.
  log.info('postgres at db.example, https://bundler.example')
  expect(lines.at(-1)).toContain('postgres at db.example, https://bundler.example')
})
