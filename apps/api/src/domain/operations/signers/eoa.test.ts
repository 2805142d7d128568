import { encodePacked } from 'viem'
import { expect, test } from 'vitest'
import { splitSignature } from './eoa.ts'

const owner = `0x${'ab'.repeat(65)}` as const

test("default: userOp.signature of the Safe module is the validity, then the owner's signature", () => {
  const signature = encodePacked(['uint48', 'uint48', 'bytes'], [5, 1_900_000_000, owner])
  expect(splitSignature(signature)).toEqual({
    signature: owner,
    validity: { validAfter: 5, validUntil: 1_900_000_000 },
  })
})

test.each(['0x', owner, `0x${'ab'.repeat(64)}`, `0x${'ab'.repeat(76)}`, `0x${'ab'.repeat(78)}`] as const)(
  'behavior: other bytes are a signature without a validity: %s',
  (signature) => {
    expect(splitSignature(signature)).toEqual({ signature })
  },
)
