import { hashBytes } from '@lanyard/accounts/long-hashes'
import { hashTypedData, keccak256 } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { recordCosts } from '../../../test/record-costs.ts'
import { hashLongBytes, offLoop } from './off-loop.ts'

const owner = privateKeyToAccount('0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80')
const hash = keccak256('0x01')

test('behavior: another thread computes the same', async () => {
  const data = `0x${'ab'.repeat(50_000)}` as const
  await hashLongBytes(data)
  expect(hashBytes(data)).toBe(keccak256(data))
  const typedData = {
    domain: { chainId: 1 },
    types: { Greeting: [{ name: 'text', type: 'string' }] },
    primaryType: 'Greeting',
    message: { text: 'Hello' },
  } as const
  expect(await offLoop('hashMessage', { typedData })).toEqual({ hash: hashTypedData(typedData) })
  const signature = await owner.sign({ hash })
  const request = { hash, owner: owner.address, signature, triesText: false }
  expect(await offLoop('recoverOwner', request)).toMatchObject({ ok: true, form: 'digest' })
})

test('behavior: long bytes are hashed in another thread, short ones are not', async () => {
  const hash = (bytes: number, seed: string) => recordCosts(() => hashLongBytes(`0x${seed.repeat(bytes)}`))
  expect((await hash(100_000, 'cd')).milliseconds).toBeGreaterThan(0)
  expect((await hash(100, 'cd')).milliseconds).toBe(0)
})

test('error: a message that cannot be hashed is a refusal, not a failure', async () => {
  const typedData = { types: {}, primaryType: 'Nothing', message: {} }
  expect(await offLoop('hashMessage', { typedData })).toEqual({ refusal: expect.any(String) })
})

test('error: a failing task rejects, and the thread goes on', async () => {
  await expect(offLoop('keccak256', 5 as never)).rejects.toThrow()
  expect(await offLoop('keccak256', '0x01')).toBe(hash)
})
