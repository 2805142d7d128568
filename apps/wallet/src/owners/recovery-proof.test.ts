import { randomPrivateKey } from '@lanyard/testing'
import { privateKeyToAccount } from 'viem/accounts'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { checkRecoveryProof, recoveryChallenge } from './recovery-proof.ts'

const account = '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65'

describe('checkRecoveryProof', () => {
  const key = privateKeyToAccount(randomPrivateKey())
  const other = privateKeyToAccount(randomPrivateKey())
  beforeAll(() => {
    vi.stubGlobal('location', { host: 'wallet.example' })
    return () => vi.unstubAllGlobals()
  })

  test('default', async () => {
    const challenge = recoveryChallenge(key.address, account)
    expect(challenge.text).toContain(`Account: ${account}\nWallet: wallet.example`)
    const signature = await key.signMessage({ message: challenge.text })
    expect(await checkRecoveryProof(challenge, ` ${signature} `)).toBeUndefined()
  })

  test('error: another key or another challenge', async () => {
    const challenge = recoveryChallenge(key.address, account)
    const earlier = recoveryChallenge(key.address, account)
    expect(earlier.text).not.toBe(challenge.text)
    for (const signature of [
      await other.signMessage({ message: challenge.text }),
      await key.signMessage({ message: earlier.text }),
    ])
      expect(await checkRecoveryProof(challenge, signature)).toMatch(/^This was signed by 0x/)
  })

  test.each(['', '0x12', `0x${'0'.repeat(130)}`, `0x${'f'.repeat(130)}`, 'signature'])(
    'error: "%s" is not a signature',
    async (text) => {
      const challenge = recoveryChallenge(key.address, account)
      expect(await checkRecoveryProof(challenge, text)).toMatch(/signature/)
    },
  )
})
