/** @module-tag all */

import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openKeystore } from '@lanyard/signers'
import { randomPrivateKey } from '@lanyard/testing'
import { privateKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readEnv } from '../../src/platform/environment/env.ts'
import { openKeys } from '../../src/platform/keys/keys.ts'
import { runInProcess } from './run-in-process.ts'

let directory: string
let env: Record<string, string>
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'lanyard-keystore-'))
  const passphraseFile = join(directory, 'passphrase')
  await writeFile(passphraseFile, 'a long passphrase\n')
  env = { KEYSTORE_PASSPHRASE_FILE: passphraseFile }
})
afterAll(() => rm(directory, { recursive: true }))

test('create: default: the service signs with the created key', async () => {
  const path = join(directory, 'operator.json')
  const created = await runInProcess({ env }, 'keystore', 'create', path, '--json')
  expect(created).toMatchObject({ code: 0 })
  const { address } = created.json()
  expect((await stat(path)).mode & 0o777).toBe(0o600)
  expect((await runInProcess({ env }, 'keystore', 'address', path)).stdout.trim()).toBe(address)
  const { accounts } = await openKeys(readEnv({ ...env, OPERATOR_PRIVATE_KEY: `keystore:${path}` }))
  expect(accounts.OPERATOR_PRIVATE_KEY.map((account) => account.address)).toEqual([address])
})

test('create: args: --import', { tags: ['all'] }, async () => {
  const path = join(directory, 'imported.json')
  const key = randomPrivateKey()
  const ended = await runInProcess(
    { env: { ...env, IMPORT_PRIVATE_KEY: key } },
    'keystore',
    'create',
    path,
    '--import',
  )
  expect(ended).toMatchObject({ code: 0 })
  expect(ended.stdout).toContain(privateKeyToAddress(key))
  expect(ended.stdout + ended.stderr).not.toContain(key.slice(2))
  expect(await openKeystore(path, 'a long passphrase')).toBe(key)
})

test('error: a missing passphrase, a missing import key, an existing file, an invalid keystore', async () => {
  const path = join(directory, 'there.json')
  await writeFile(path, '{}')
  const cases: [number, string, ReturnType<typeof runInProcess>][] = [
    [2, 'KEYSTORE_PASSPHRASE_FILE is needed', runInProcess({}, 'keystore', 'create', `${path}.new`)],
    [2, 'IMPORT_PRIVATE_KEY: needed', runInProcess({ env }, 'keystore', 'create', `${path}.new`, '--import')],
    [1, 'it already exists', runInProcess({ env }, 'keystore', 'create', path)],
    [1, 'not an encrypted key', runInProcess({ env }, 'keystore', 'address', path)],
  ]
  for (const [code, message, running] of cases) {
    const ended = await running
    expect(ended, message).toMatchObject({ code, stderr: expect.stringContaining(message) })
    expect(ended.stderr).not.toMatch(/\n\s+at /)
  }
  expect(await readFile(path, 'utf8')).toBe('{}')
})
