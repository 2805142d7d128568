import { safeOperationTypedData } from '@lanyard/accounts'
import { type Hex, hexToBytes, toHex, zeroAddress } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { createSessionKey, sessionKeyOfAccount, sessionKeyOfPair } from './session-key-signer.ts'

const hash: Hex = `0x${'d1'.repeat(32)}`
// This signer signs the hash. Only accounts without `sign` read the typed data.
const typedData = safeOperationTypedData(
  {
    ...{ sender: zeroAddress, nonce: 0n, initCode: '0x', callData: '0x', paymasterAndData: '0x' },
    ...{ callGasLimit: 0n, verificationGasLimit: 0n, preVerificationGas: 0n },
    ...{ maxFeePerGas: 0n, maxPriorityFeePerGas: 0n },
  },
  { chainId: 1 },
)
const bytes = (hex: Hex) => new Uint8Array(hexToBytes(hex))

test('createSessionKey: signs the 32 bytes, and is not extractable', async () => {
  const { keyPair, key, sessionKey, sign } = await createSessionKey()
  if (typeof key === 'string') throw new TypeError('It is on P-256')
  expect(sessionKey).toBe(`0x04${toHex(key.x, { size: 32 }).slice(2)}${toHex(key.y, { size: 32 }).slice(2)}`)
  const signature = bytes(await sign(hash))
  expect(signature).toHaveLength(64)
  const scheme = { name: 'ECDSA', hash: 'SHA-256' }
  // WebCrypto hashes its input, so the key signs the SHA-256 of the 32 bytes.
  expect(await crypto.subtle.verify(scheme, keyPair.publicKey, signature, bytes(hash))).toBe(true)
  await expect(crypto.subtle.exportKey('jwk', keyPair.privateKey)).rejects.toThrow()
})

test('sessionKeyOfPair: a stored key pair has the same session key', async () => {
  const made = await createSessionKey()
  const kept = await sessionKeyOfPair(made.keyPair)
  expect(kept).toMatchObject({ key: made.key, sessionKey: made.sessionKey })
})

test('sessionKeyOfAccount', async () => {
  // Well-known PUBLIC key of the local networks.
  const account = privateKeyToAccount('0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80')
  const signer = sessionKeyOfAccount(account)
  expect(signer).toMatchObject({ key: account.address, sessionKey: account.address })
  expect(await signer.sign(hash, typedData)).toBe(await account.sign({ hash }))
})
