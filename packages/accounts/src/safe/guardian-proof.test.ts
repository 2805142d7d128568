import { hashTypedData } from 'viem'
import { describe, expect, test } from 'vitest'
import { getGuardianProofHash, guardianProofTypedData } from './guardian-proof.ts'

const proof = {
  account: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  guardian: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
  time: 1_795_000_000,
} as const

describe('getGuardianProofHash', () => {
  // Answers in links and rows carry signatures over this hash.
  test('default', () => {
    expect(getGuardianProofHash(proof)).toBe(hashTypedData(guardianProofTypedData(proof)))
    expect(getGuardianProofHash(proof)).toMatchInlineSnapshot(
      `"0x707298f494e7cb55f3b06ec1c5d05c23509e33e200b4ef238e013ff2109d5d27"`,
    )
  })

  test('behavior: names no contract and no chain, so nothing accepts it', () => {
    expect(guardianProofTypedData(proof).domain).toEqual({ name: 'Lanyard guardian proof', version: '1' })
  })

  test('behavior: another account, guardian or time has another hash', () => {
    const hashes = [
      proof,
      { ...proof, account: proof.guardian },
      { ...proof, guardian: proof.account },
      { ...proof, time: proof.time + 1 },
    ].map(getGuardianProofHash)
    expect(new Set(hashes).size).toBe(4)
  })

  test('error: OUT_OF_RANGE', () => {
    expect(() => getGuardianProofHash({ ...proof, time: -1 })).toThrow(
      expect.objectContaining({ code: 'OUT_OF_RANGE' }),
    )
  })
})
