import { randomPrivateKey } from '@lanyard/testing'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { checkRecoveryProof, recoveryChallenge } from './recovery-proof.ts'

const account = '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65'

describe('checkRecoveryProof', () => {
  const key = privateKeyToAccount(randomPrivateKey())
  const other = privateKeyToAccount(randomPrivateKey())
  const challenge = recoveryChallenge(key.address, account)

  test('default', async () => {
    expect(challenge.text).toContain(`Key: ${key.address}\nAccount: ${account}`)
    const signature = await key.signMessage({ message: challenge.text })
    expect(await checkRecoveryProof(challenge, ` ${signature} `)).toEqual({ signature })
  })

  test('error: another key, or the text of another account', async () => {
    const { text } = recoveryChallenge(key.address, other.address)
    for (const signature of [
      await other.signMessage({ message: challenge.text }),
      await key.signMessage({ message: text }),
    ])
      expect(await checkRecoveryProof(challenge, signature)).toEqual({
        problem: expect.stringMatching(/^This was signed by 0x/),
      })
  })

  test.each(['', '0x12', `0x${'0'.repeat(130)}`, `0x${'f'.repeat(130)}`, 'signature'])(
    'error: "%s" is not a signature',
    async (text) => {
      expect(await checkRecoveryProof(challenge, text)).toEqual({
        problem: expect.stringMatching(/signature/),
      })
    },
  )
})
