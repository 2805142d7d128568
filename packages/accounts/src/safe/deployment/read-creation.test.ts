import { numberToHex } from 'viem'
import { expect, test } from 'vitest'
import { type AccountOwner, defaultVerifiers } from '../../owner.ts'
import { computeAccountAddress } from './compute-account-address.ts'
import { type AccountDeployment, safeDeployment } from './deployment.ts'
import { encodeInitializer } from './encode-initializer.ts'
import { type AccountCreation, readCreation } from './read-creation.ts'

const eoa = { kind: 'eoa', address: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' } as const
const passkey = {
  kind: 'passkey',
  x: 0x6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296n,
  y: 0x4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5n,
  verifiers: defaultVerifiers,
} as const
const other = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'

function creationOf(owner: AccountOwner, deployment: AccountDeployment = safeDeployment): AccountCreation {
  const { factory, singleton, module, entryPoint, ownership, sharedSigner } = deployment
  return {
    ...{ factory, singleton, module, entryPoint, ownership },
    walletAddress: computeAccountAddress(owner, deployment),
    saltNonce: String(deployment.saltNonce),
    initializer: encodeInitializer(owner, deployment),
    ...(owner.kind === 'eoa'
      ? { eoaAddress: owner.address }
      : {
          passkey: {
            ...{ x: numberToHex(owner.x), y: numberToHex(owner.y) },
            ...{ verifiers: numberToHex(owner.verifiers), sharedSigner },
          },
        }),
  }
}

test.each([
  ['an EOA', eoa, safeDeployment],
  ['a passkey', passkey, safeDeployment],
  ['an account with Ownership', eoa, { ...safeDeployment, ownership: other, saltNonce: 7n }],
] as const)('behavior: reads the creation of %s', (_, owner, deployment) => {
  expect(readCreation(creationOf(owner, deployment))).toEqual({ owner, deployment })
})

test.each([
  ['another address', { walletAddress: other }],
  ['another first owner', { eoaAddress: other }],
  ['another module', { module: other }],
  ['another salt', { saltNonce: '1' }],
  ['another initializer', { initializer: '0x1234' }],
  ['another entry point', { entryPoint: other }],
  ['no owner', { eoaAddress: undefined }],
] as const)('behavior: reads nothing with %s', (_, change) => {
  expect(readCreation({ ...creationOf(eoa), ...change })).toBeUndefined()
})
