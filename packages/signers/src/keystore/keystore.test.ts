import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { randomPrivateKey } from '@lanyard/testing'
import type { Hex } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createKeystore, openKeystore } from '../keystore.ts'

let directory: string
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'lanyard-keystores-'))
})
afterAll(() => rm(directory, { recursive: true }))

const fast = { n: 1024, r: 8, p: 1 }
let count = 0
const write = async (content: unknown) => {
  const path = join(directory, `written-${count++}.json`)
  await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content))
  return path
}

/** From the specification of Web3 Secret Storage: passphrase `testpassword`. */
const vectorKey: Hex = '0x7a28b5ba57c53603b0b07b56bba752f7784bf506fa95edc395f5cf6c7514fe9d'
const vectors = {
  pbkdf2: {
    crypto: {
      cipher: 'aes-128-ctr',
      cipherparams: { iv: '6087dab2f9fdbbfaddc31a909735c1e6' },
      ciphertext: '5318b4d5bcd28de64ee5559e671353e16f075ecae9f99c7a79a38af5f869aa46',
      kdf: 'pbkdf2',
      kdfparams: {
        c: 262144,
        dklen: 32,
        prf: 'hmac-sha256',
        salt: 'ae3cd4e7013836a3df6bd7241b12db061dbe2c6785853cce422d148a624ce0bd',
      },
      mac: '517ead924a9d0dc3124507e3393d175ce3ff7c1e96529c6c555ce9e51205e9b2',
    },
    id: '3198bc9c-6672-5ab3-d995-4942343ae5b6',
    version: 3,
  },
  scrypt: {
    crypto: {
      cipher: 'aes-128-ctr',
      cipherparams: { iv: '83dbcc02d8ccb40e466191a123791e0e' },
      ciphertext: 'd172bf743a674da9cdad04534d56926ef8358534d458fffccd4e6ad2fbde479c',
      kdf: 'scrypt',
      kdfparams: {
        dklen: 32,
        n: 262144,
        p: 8,
        r: 1,
        salt: 'ab0c7876052600dd703518d6fc3fe8984592145b591fc8fb5c6d43190334ba19',
      },
      mac: '2103ac29920d71da29f15d75b4a16dbe95cfd7ff8faea1056c33131d846e3097',
    },
    id: '3198bc9c-6672-5ab3-d995-4942343ae5b6',
    version: 3,
  },
}

test.each(Object.entries(vectors))('default: opens the published vector with %s', async (_kdf, vector) => {
  expect(await openKeystore(await write(vector), 'testpassword')).toBe(vectorKey)
})

test('behavior: a created file can be opened, only by its owner, and names its address', async () => {
  const path = join(directory, 'created.json')
  const privateKey = randomPrivateKey()
  const address = await createKeystore({ path, privateKey, passphrase: 'näheres später', scrypt: fast })
  expect(address).toBe(privateKeyToAddress(privateKey))
  expect(await openKeystore(path, 'näheres später')).toBe(privateKey)
  expect((await stat(path)).mode & 0o777).toBe(0o600)
  const text = await readFile(path, 'utf8')
  expect(JSON.parse(text)).toMatchObject({ version: 3, address: address.slice(2).toLowerCase() })
  expect(text).not.toContain(privateKey.slice(2))
})

test('error: an existing file is never overwritten', async () => {
  const path = await write('{}')
  await expect(
    createKeystore({ path, privateKey: randomPrivateKey(), passphrase: 'x', scrypt: fast }),
  ).rejects.toThrow(`${path}: it already exists`)
  expect(await readFile(path, 'utf8')).toBe('{}')
})

test.each([
  ['a wrong passphrase', async () => write(vectors.pbkdf2), 'the passphrase is wrong'],
  ['no file', async () => join(directory, 'nowhere.json'), 'it cannot be read (ENOENT)'],
  ['not JSON', async () => write('0xkey'), 'not an encrypted key'],
  ['another version', async () => write({ ...vectors.pbkdf2, version: 1 }), 'not an encrypted key'],
  [
    'parameters that would take all memory',
    async () =>
      write({
        ...vectors.scrypt,
        crypto: {
          ...vectors.scrypt.crypto,
          kdfparams: { ...vectors.scrypt.crypto.kdfparams, n: 2 ** 20, r: 64 },
        },
      }),
    'not an encrypted key',
  ],
])('error: %s', async (_name, file, message) => {
  await expect(openKeystore(await file(), 'wrong')).rejects.toThrow(message)
})

test('error: a key that does not match the address in the file', async () => {
  const path = await write({ ...vectors.pbkdf2, address: '00'.repeat(20) })
  await expect(openKeystore(path, 'testpassword')).rejects.toThrow('does not belong to its address')
})
