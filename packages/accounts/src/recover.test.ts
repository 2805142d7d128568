import { concat, hexToNumber, keccak256, numberToHex, recoverAddress, slice } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { isFast, recoverFast } from './recover.ts'

// PUBLIC: anvil's first key.
const account = privateKeyToAccount('0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80')

describe('recoverFast', () => {
  test('default: uses WebAssembly on every machine that runs the tests', () => {
    expect(isFast).toBe(true)
  })

  test.each(Array.from({ length: 32 }, (_, seed) => keccak256(numberToHex(seed))))(
    'behavior: recovers the same address as viem: %s',
    async (hash) => {
      const signature = await account.sign({ hash })
      expect(await recoverFast({ hash, signature })).toBe(account.address)
      // The other parity belongs to another key.
      const v = 55 - hexToNumber(slice(signature, 64))
      const other = concat([slice(signature, 0, 64), numberToHex(v)])
      const recovered = await recoverFast({ hash, signature: other })
      expect(recovered).not.toBe(account.address)
      expect(recovered).toBe(await recoverAddress({ hash, signature: other }))
    },
  )

  test('error: r is not the x coordinate of a point', async () => {
    const signature = concat([numberToHex(5n, { size: 32 }), numberToHex(1n, { size: 32 }), '0x1b'])
    await expect(recoverAddress({ hash: keccak256('0x01'), signature })).rejects.toThrow()
    await expect(recoverFast({ hash: keccak256('0x01'), signature })).rejects.toThrow(TypeError)
  })
})
