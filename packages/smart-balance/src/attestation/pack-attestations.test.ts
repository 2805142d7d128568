import { type Hex, slice } from 'viem'
import { describe, expect, test } from 'vitest'
import { packAttestations } from './pack-attestations.ts'

const signatureOf = (byte: string): Hex => `0x${byte.repeat(65)}`
const low = { attestor: '0x0000000000000000000000000000000000000aAA', signature: signatureOf('0a') } as const
const high = { attestor: '0xBb00000000000000000000000000000000000000', signature: signatureOf('0b') } as const

describe('packAttestations', () => {
  test('default', () => {
    for (const signatures of [
      [low, high],
      [high, low],
    ]) {
      const proof = packAttestations(signatures)
      expect([slice(proof, 0, 65), slice(proof, 65)]).toEqual([low.signature, high.signature])
    }
    expect(packAttestations([])).toBe('0x')
  })

  test('error: DUPLICATE', () => {
    const again = { ...low, attestor: '0x0000000000000000000000000000000000000AAA' } as const
    expect(() => packAttestations([low, high, again])).toThrow(
      expect.objectContaining({
        code: 'DUPLICATE',
        details: { attestor: expect.stringMatching(/^0x0{37}aaa$/i) },
      }),
    )
  })

  test('error: MALFORMED', () => {
    for (const signature of [
      '0x12',
      `0x0x${'0a'.repeat(64)}`,
      `0x${'0a'.repeat(64)}0`,
      `0x${'0a'.repeat(64)}zz`,
    ] as const)
      expect(() => packAttestations([{ ...low, signature }])).toThrow(
        expect.objectContaining({ code: 'MALFORMED', details: { field: 'signature', bytes: 65 } }),
      )
  })
})
