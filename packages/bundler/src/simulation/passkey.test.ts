import { createHash, createSign, type KeyObject } from 'node:crypto'
import {
  type AccountOwner,
  defaultVerifiers,
  encodeSignature,
  encodeWebAuthnSignature,
  getSafeOperationHash,
  type SignedUserOperation,
} from '@lanyard/accounts'
import { usualEngine } from '@lanyard/database/testing'
import { canonicalAddresses } from '@lanyard/devnet'
import { randomP256KeyPair } from '@lanyard/testing'
import { bytesToBigInt, type Hex, hexToBytes } from 'viem'
import { describe, expect, test } from 'vitest'
import { type Fixture, nothing, startFixture } from '../../test/fixture.ts'
import type { EstimateRequest } from '../index.ts'

/** A software authenticator's key. */
function createPasskey(): { owner: AccountOwner; privateKey: KeyObject } {
  const { privateKey, publicKey } = randomP256KeyPair()
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const coordinate = (text: string) => bytesToBigInt(Buffer.from(text, 'base64url'))
  const owner: AccountOwner = {
    kind: 'passkey',
    x: coordinate(x),
    y: coordinate(y),
    verifiers: defaultVerifiers,
  }
  return { owner, privateKey }
}

function sign(operation: SignedUserOperation, privateKey: KeyObject, chainId: number): Hex {
  const hash = getSafeOperationHash(operation, { chainId })
  const challenge = Buffer.from(hexToBytes(hash)).toString('base64url')
  const clientDataJSON = Buffer.from(
    `{"type":"webauthn.get","challenge":"${challenge}","origin":"http://localhost:3000","crossOrigin":false}`,
  )
  const authenticatorData = Buffer.concat([
    createHash('sha256').update('localhost').digest(),
    Buffer.from([0x05, 0, 0, 0, 1]),
  ])
  const signature = createSign('sha256')
    .update(authenticatorData)
    .update(createHash('sha256').update(clientDataJSON).digest())
    .sign(privateKey)
  const encoded = encodeWebAuthnSignature({
    hash,
    assertion: { authenticatorData, clientDataJSON, signature },
  })
  if (!encoded.ok) throw new TypeError(encoded.message)
  return encodeSignature({ validAfter: 0, validUntil: 0, signatures: encoded.signature })
}

/** How the service simulates a stub, with and without the precompile. */
const simulations = {
  osaka: { stateOverride: [{ address: canonicalAddresses.p256Verifier, code: '0x60015f5260205ff3' }] },
  prague: { verificationGasFloor: 500_000n },
} as const satisfies Record<string, Partial<EstimateRequest>>

describe.each(['osaka', 'prague'] as const)('estimate for passkeys, on %s', (hardfork) => {
  test('behavior: the estimated limits suffice for real signatures of first and later operations', async () => {
    await using fixture = await startFixture(usualEngine(), { hardfork })
    const { owner, privateKey } = createPasskey()
    const account = await fixture.register(owner)
    const bundler = fixture.bundler()
    for (const deployed of [false, true, true]) {
      const operation = await build(fixture, account, owner, deployed, simulations[hardfork])
      const signed = { ...operation, signature: sign(operation, privateKey, fixture.node.chainId) }
      const hash = await fixture.submit(bundler, signed)
      await bundler.drive()
      await fixture.noticeInclusion()
      const [event] = await fixture.events(hash)
      expect(event?.args.success).toBe(true)
      const receipt = await fixture.chain.getTransactionReceipt({ hash: event?.transactionHash ?? '0x' })
      console.log(hardfork, { deployed, limit: operation.verificationGasLimit, gasUsed: receipt.gasUsed })
      expect(receipt.gasUsed).toBeLessThanOrEqual(event?.args.actualGasUsed ?? 0n)
    }
  })
})

async function build(
  fixture: Fixture,
  sender: Hex,
  owner: AccountOwner,
  deployed: boolean,
  simulation: Partial<EstimateRequest>,
): Promise<SignedUserOperation> {
  const operation = await fixture.draft({ address: sender, owner }, [nothing], { deployed })
  const { execution, ...limits } = await fixture.bundler().estimate({ operation, ...simulation })
  expect(execution.success).toBe(true)
  return { ...operation, ...limits }
}
