import { defaultDeployment, encodeCalls } from '@lanyard/accounts'
import fc from 'fast-check'
import { bytesToHex } from 'viem'
import { expect, test } from 'vitest'
import { packText, unpackText } from './stored-answer.ts'

const random = (bytes: number, seed: number) =>
  bytesToHex(
    Uint8Array.from(
      { length: bytes },
      (_, index) => (index * 7919 + seed * 104729 + (index >> 5) * seed) & 255,
    ),
  )

/** The answer of a build, in the parts that depend on the request. */
function answerTo(
  transactionDetails: readonly { encodedData: `0x${string}`; targetContractAddress: `0x${string}` }[],
) {
  const calls = transactionDetails.map(({ encodedData, targetContractAddress }) => ({
    to: targetContractAddress,
    data: encodedData,
    value: 1n,
  }))
  const callData = encodeCalls(calls, defaultDeployment)
  return JSON.stringify({
    output: { userOp: { callData, sender: random(20, 1) }, messageToSign: random(32, 2) },
  })
}

test.each([
  ['one call of 127 KiB', [127 * 1024]],
  ['two calls', [60_000, 60_000]],
  ['64 calls of 1 KiB', Array<number>(64).fill(1024)],
  ['64 short calls', Array<number>(64).fill(68)],
  ['64 plain transfers', Array<number>(64).fill(0)],
])('behavior: a build with %s takes at most 2 KiB', (_name, sizes) => {
  const transactionDetails = sizes.map((size, index) => ({
    encodedData: random(size, index),
    targetContractAddress: random(20, index + 100),
  }))
  const answer = answerTo(transactionDetails)
  const packed = packText(answer, { transactionDetails })
  expect(packed.length).toBeLessThanOrEqual(2_049)
  expect(unpackText(packed, { transactionDetails })).toBe(answer)
})

test('behavior: whatever an answer and its request contain, the answer comes back', () => {
  const json = fc.json({ maxDepth: 4 })
  const hex = fc.uint8Array({ minLength: 20, maxLength: 3_000 }).map((bytes) => bytesToHex(bytes))
  fc.assert(
    fc.property(json, hex, fc.string({ maxLength: 100 }), (other, data, text) => {
      const request = { data, text, nested: [text + data, JSON.parse(other)] }
      const answer = JSON.stringify({
        output: { ...request, again: data.toUpperCase(), padding: 'p'.repeat(2_100) },
      })
      expect(unpackText(packText(answer, request), request)).toBe(answer)
    }),
  )
})
