import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createKeystore } from '@lanyard/signers'
import { randomPrivateKey } from '@lanyard/testing'
import { privateKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ConfigurationError } from '../environment/configuration-error.ts'
import { readEnv } from '../environment/env.ts'
import { withoutSecrets } from '../secrets/hidden-secrets.ts'
import { openKeys } from './keys.ts'

const privateKey = randomPrivateKey()
const address = privateKeyToAddress(privateKey)
const passphrase = 'a passphrase for a test'

let directory: string
let keystore: string
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'lanyard-keys-'))
  keystore = join(directory, 'operator.json')
  await createKeystore({ path: keystore, privateKey, passphrase, scrypt: { n: 1024, r: 8, p: 1 } })
})
afterAll(() => rm(directory, { recursive: true }))

async function write(name: string, text: string): Promise<string> {
  const path = join(directory, name)
  await writeFile(path, text)
  return path
}

const open = (variables: Record<string, string>) => openKeys(readEnv(variables))
const problemsOf = async (variables: Record<string, string>) => {
  try {
    await open(variables)
    return []
  } catch (error) {
    if (error instanceof ConfigurationError) return error.problems
    throw error
  }
}

test('behavior: the passphrase, the key and the token from files are hidden in the log', async () => {
  const token = 'a-token-for-the-signer'
  const { accounts } = await open({
    OPERATOR_PRIVATE_KEY: `keystore:${keystore}`,
    KEYSTORE_PASSPHRASE_FILE: await write('passphrase', `${passphrase}\n`),
    SETTLER_PRIVATE_KEY: `remote:${address}`,
    SIGNER_URL: 'https://signer.example',
    SIGNER_TOKEN_FILE: await write('token', token),
  })
  expect(accounts.OPERATOR_PRIVATE_KEY.map((account) => account.address)).toEqual([address])
  for (const secret of [privateKey.slice(2), passphrase, token]) {
    expect(withoutSecrets(`it failed: ${secret}`)).toBe('it failed: [hidden]')
  }
})

test('args: with ROLES the keys of other roles are not opened', async () => {
  const { accounts, named } = await open({
    ROLES: 'settler',
    OPERATOR_PRIVATE_KEY: 'keystore:/nowhere',
    RELAYER_PRIVATE_KEYS: privateKey,
  })
  expect(Object.values(accounts).flat()).toEqual([])
  expect(named).toEqual([{ variable: 'RELAYER_PRIVATE_KEYS', address }])
})

test('error: all problems with keys are listed at once, by variable', async () => {
  const problems = await problemsOf({
    OPERATOR_PRIVATE_KEY: `keystore:${keystore}`,
    SETTLER_PRIVATE_KEY: `remote:${address}`,
    ATTESTOR_PRIVATE_KEYS: `keystore:${join(directory, 'nowhere.json')}`,
  })
  expect(problems).toEqual([
    'OPERATOR_PRIVATE_KEY: an encrypted file, so KEYSTORE_PASSPHRASE_FILE is needed',
    'ATTESTOR_PRIVATE_KEYS: an encrypted file, so KEYSTORE_PASSPHRASE_FILE is needed',
    'SETTLER_PRIVATE_KEY: a remote key, so SIGNER_URL is needed',
  ])
})

test('error: a wrong passphrase and a missing file are reported', async () => {
  const wrong = { OPERATOR_PRIVATE_KEY: `keystore:${keystore}`, KEYSTORE_PASSPHRASE: 'wrong' }
  expect(await problemsOf(wrong)).toEqual([
    expect.stringMatching(/^OPERATOR_PRIVATE_KEY: .*passphrase is wrong/),
  ])
  const { KEYSTORE_PASSPHRASE: _, ...without } = wrong
  expect(await problemsOf({ ...without, KEYSTORE_PASSPHRASE_FILE: '/nowhere' })).toEqual([
    'OPERATOR_PRIVATE_KEY: KEYSTORE_PASSPHRASE_FILE (/nowhere) cannot be read (ENOENT)',
  ])
})
