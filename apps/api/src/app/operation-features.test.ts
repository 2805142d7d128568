import { defaultDeployment, stubSignature } from '@lanyard/accounts'
import { randomPrivateKey } from '@lanyard/testing'
import { slice } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import { expect, test } from 'vitest'
import { firstOwnerSigner, signerOfForm, signerOfMode } from '../domain/operations/signers/find-signer.ts'
import { operationFeatures } from './operation-features.ts'

const modes = ['ECDSA', 'WEBAUTHN', 'SESSION_KEY'] as const

test('behavior: each sign mode has one kind of signer', () => {
  expect(operationFeatures.signers.map(({ signMode }) => signMode).sort()).toEqual([...modes].sort())
  for (const mode of modes) expect(signerOfMode(operationFeatures, mode).signMode).toBe(mode)
})

test('behavior: a stub shows the kind of owner, and no other kind has its form', () => {
  for (const [kind, mode] of [
    ['eoa', 'ECDSA'],
    ['passkey', 'WEBAUTHN'],
  ] as const) {
    const stub = slice(stubSignature({ kind }), 12) // without the validity
    expect(signerOfForm(operationFeatures, stub)?.signMode).toBe(mode)
    expect(operationFeatures.signers.filter(({ hasForm }) => hasForm?.(stub))).toHaveLength(1)
  }
  for (const other of ['0x', '0xcafe', `0x${'11'.repeat(64)}`] as const)
    expect(signerOfForm(operationFeatures, other)).toBeUndefined()
})

test('behavior: the first owner of an account is estimated as its own kind', () => {
  const address = privateKeyToAddress(randomPrivateKey())
  const wallet = { address, deployment: defaultDeployment }
  expect(firstOwnerSigner({ ...wallet, owner: { kind: 'eoa', address } }).signMode).toBe('ECDSA')
  const owner = { kind: 'passkey', x: 1n, y: 1n, verifiers: 1n } as const
  expect(firstOwnerSigner({ ...wallet, owner }).signMode).toBe('WEBAUTHN')
})
