import { encodeAbiParameters, type Hash, type Hex, keccak256, parseAbiParameters, slice } from 'viem'
import { describe, expect, test } from 'vitest'
import { digest, domainSeparatorOfAll, hashText } from '../test/eip712.ts'
import { getAttestationHash, packAttestations } from './attestation.ts'

describe('getAttestationHash', () => {
  const smartBalance = '0x1de369C050d12c59EAB848C938932a347eaFa68c'
  const orderHash: Hash = `0x${'0d'.repeat(32)}`

  test.each([
    ['claimed', 1],
    ['failed', 2],
  ] as const)('%s: is the same on every network', (outcome, value) => {
    const structHash = keccak256(
      encodeAbiParameters(parseAbiParameters('bytes32, bytes32, uint8'), [
        hashText('Attestation(bytes32 orderHash,uint8 outcome)'),
        orderHash,
        value,
      ]),
    )
    expect(getAttestationHash({ smartBalance, orderHash, outcome })).toBe(
      digest(domainSeparatorOfAll(smartBalance), structHash),
    )
  })
})

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
