import { computeSignerAddress, defaultVerifiers, guardianProofTypedData } from '@lanyard/accounts'
import { randomPrivateKey } from '@lanyard/testing'
import { privateKeyToAccount } from 'viem/accounts'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { answerLink, isAnswerOf, readAnswer } from './invitation.ts'

const account = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const friend = privateKeyToAccount(randomPrivateKey())
const time = 1_795_000_000

const answerOf = async (to: typeof account | typeof friend.address = account) => ({
  guardian: friend.address,
  time,
  signature: await friend.signTypedData(
    guardianProofTypedData({ account: to, guardian: friend.address, time }),
  ),
  key: undefined,
})

/** The base point of P-256 (FIPS 186-4, D.1.2.3). */
const key = {
  kind: 'passkey',
  x: 0x6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296n,
  y: 0x4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5n,
  verifiers: defaultVerifiers,
} as const

beforeEach(() => vi.stubGlobal('location', { origin: 'https://wallet.example' }))
afterEach(() => vi.unstubAllGlobals())

describe('readAnswer', () => {
  test('default: an answer stands after #, so no server sees the address', async () => {
    const answer = await answerOf()
    const link = new URL(answerLink(answer))
    expect(link.search).toBe('')
    expect(readAnswer(link.hash)).toEqual(answer)
  })

  test('behavior: a passkey comes with what its address follows from', async () => {
    const answer = { ...(await answerOf()), guardian: computeSignerAddress(key), key }
    expect(readAnswer(new URL(answerLink(answer)).hash)).toEqual(answer)
  })

  test.each([
    '',
    '#add=0x12',
    `#add=${account}`,
    `#add=${account}&time=1&proof=0x12&key=0x${'11'.repeat(86)}`,
  ])('error: %s is no answer', (hash) => expect(readAnswer(hash)).toBeUndefined())
})

describe('isAnswerOf', () => {
  test('default: the key of the address signed for this account', async () => {
    const answer = await answerOf()
    expect(await isAnswerOf(account, answer)).toBe(true)
    expect(await isAnswerOf(friend.address, answer)).toBe(false)
    expect(await isAnswerOf(account, await answerOf(friend.address))).toBe(false)
    expect(await isAnswerOf(account, { ...answer, time: time + 1 })).toBe(false)
    expect(await isAnswerOf(account, { ...answer, signature: `0x${'00'.repeat(65)}` })).toBe(false)
  })

  test('behavior: a passkey stands for its own address only', async () => {
    const answer = { ...(await answerOf()), key }
    expect(await isAnswerOf(account, answer)).toBe(false)
    expect(await isAnswerOf(account, { ...answer, guardian: computeSignerAddress(key) })).toBe(true)
  })

  test('error: other verifiers, which may accept what the passkey never signed', async () => {
    const other = { ...key, verifiers: 1n }
    const answer = { ...(await answerOf()), guardian: computeSignerAddress(other), key: other }
    expect(await isAnswerOf(account, answer)).toBe(false)
  })
})
