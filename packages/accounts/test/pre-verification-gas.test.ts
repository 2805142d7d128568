import { devAccounts } from '@lanyard/devnet'
import { type Hex, hexToBytes, size } from 'viem'
import { entryPoint07Address } from 'viem/account-abstraction'
import { privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import {
  type AccountOwner,
  type Call,
  calculatePreVerificationGas,
  computeAccountAddress,
  defaultVerifiers,
  encodeCalls,
  encodeSignature,
  encodeWebAuthnSignature,
  getSafeOperationHash,
  stubSignature,
} from '../src/index.ts'
import { chainId, startChain } from './entry-point.ts'
import { operationOf } from './operation.ts'
import { SoftwareAuthenticator } from './software-authenticator.ts'

const eoa = privateKeyToAccount(devAccounts[1]?.privateKey ?? '0x')
const authenticator = new SoftwareAuthenticator()

const signers: readonly { owner: AccountOwner; sign: (hash: Hex) => Promise<Hex> }[] = [
  { owner: { kind: 'eoa', address: eoa.address }, sign: (hash) => eoa.sign({ hash }) },
  {
    owner: { kind: 'passkey', ...authenticator.publicKey, verifiers: defaultVerifiers },
    async sign(hash) {
      const assertion = authenticator.get({ challenge: hexToBytes(hash) })
      const result = encodeWebAuthnSignature({ hash, assertion })
      if (!result.ok) throw new Error(result.message)
      return result.signature
    },
  },
]

const payee = '0x00000000000000000000000000000000000000ad'
const callsOf = (bytes: number): Call => ({ to: payee, value: 1n, data: `0x${'ff'.repeat(bytes)}` })

// callGasLimit of the deploying operation, slightly above actual use. No node can estimate it, since the
// account does not exist yet.
test.each([
  ['no calldata', [callsOf(0)], 40_000n],
  ['320 bytes of calldata', [callsOf(320)], 40_000n],
  ['3,200 bytes of calldata, at the EIP-7623 floor', [callsOf(3200)], 40_000n],
  ['a batch of eight', Array.from({ length: 8 }, () => callsOf(32)), 120_000n],
])('behavior: a relayer does not lose money on %s', async (_, calls, firstCallGasLimit) => {
  await using chain = await startChain()
  await chain.fund(payee, 1n) // so that no call pays for a new account
  for (const { owner, sign } of signers) {
    const sender = computeAccountAddress(owner)
    await chain.fund(sender)
    for (const initCode of [operationOf(owner).initCode, '0x', '0x'] as const) {
      const callData = encodeCalls(calls)
      // Use the lowest sufficient call gas, so that EntryPoint's penalty for unused gas does not hide a loss.
      const callGasLimit =
        initCode === '0x'
          ? (await chain.client.estimateGas({ account: entryPoint07Address, to: sender, data: callData })) -
            21_000n -
            BigInt(size(callData)) * 10n
          : firstCallGasLimit
      const unpriced = operationOf(owner, {
        nonce: await chain.nonceOf(sender),
        callData,
        callGasLimit,
        initCode,
      })
      const preVerificationGas = calculatePreVerificationGas({ ...unpriced, signature: stubSignature(owner) })
      const operation = { ...unpriced, preVerificationGas }
      const signatures = await sign(getSafeOperationHash(operation, { chainId }))
      const signature = encodeSignature({ validAfter: 0, validUntil: 0, signatures })
      const { success, gasUsed, actualGasUsed } = await chain.handleOps({ ...operation, signature })
      expect(success).toBe(true)
      expect(actualGasUsed).toBeGreaterThanOrEqual(gasUsed)
    }
  }
})
