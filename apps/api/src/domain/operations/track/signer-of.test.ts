import { concat, type Hex, hashMessage, keccak256, numberToHex, padHex, toHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { signerOf } from './operation-history.ts'

const owner = privateKeyToAccount(keccak256(toHex('an owner')))
const safe_op_hash = keccak256(toHex('an operation'))
const validity = padHex('0x', { size: 12 })

describe('signerOf', () => {
  test('default: the key that signed the hash', async () => {
    const signature = concat([validity, await owner.sign({ hash: safe_op_hash })])
    expect(await signerOf({ signature, safe_op_hash })).toBe(owner.address)
  })

  test('behavior: the key that signed it as a message', async () => {
    const signed = await owner.sign({ hash: hashMessage({ raw: safe_op_hash }) })
    const v = Number(`0x${signed.slice(-2)}`) + 4
    const signature = concat([validity, signed.slice(0, -2) as Hex, numberToHex(v)])
    expect(await signerOf({ signature, safe_op_hash })).toBe(owner.address)
  })

  test('behavior: the contract of a contract signature', async () => {
    const fixed = concat([padHex(owner.address, { size: 32 }), padHex('0x41', { size: 32 }), '0x00'])
    const signature = concat([validity, fixed, padHex('0x20', { size: 32 })])
    expect(await signerOf({ signature, safe_op_hash })).toBe(owner.address)
  })

  test.each([null, '0x', '0x00', concat([validity, padHex('0x1b', { size: 65 })])])(
    'error: %s names nobody',
    async (signature) => {
      expect(await signerOf({ signature, safe_op_hash })).toBeUndefined()
    },
  )
})
