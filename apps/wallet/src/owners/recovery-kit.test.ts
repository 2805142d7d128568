import {
  computeAccountAddress,
  defaultVerifiers,
  encodeInitializer,
  type PasskeyOwner,
  safeDeployment,
} from '@lanyard/accounts'
import { numberToHex } from 'viem'
import { describe, expect, test } from 'vitest'
import { formatRecoveryKit, type RecoveryKit, verifyRecoveryKit } from './recovery-kit.ts'

/** The base point of P-256 (SEC 2 v2.0 §2.4.2), a key that is on the curve. */
const owner: PasskeyOwner = {
  kind: 'passkey',
  x: 0x6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296n,
  y: 0x4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5n,
  verifiers: defaultVerifiers,
}
const account = computeAccountAddress(owner)
const thirdParty = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const passkey = {
  rpId: 'localhost',
  x: numberToHex(owner.x, { size: 32 }),
  y: numberToHex(owner.y, { size: 32 }),
  verifiers: numberToHex(owner.verifiers, { size: 22 }),
  sharedSigner: safeDeployment.sharedSigner,
}
const kit: RecoveryKit = {
  walletAddress: account,
  factory: safeDeployment.factory,
  singleton: safeDeployment.singleton,
  saltNonce: '0',
  initializer: encodeInitializer(owner),
  module: safeDeployment.module,
  entryPoint: safeDeployment.entryPoint,
  passkey,
  networks: [{ network: 31337, name: 'Local 1', rpcUrl: 'http://127.0.0.1:8545', tokens: [] }],
}

describe('verifyRecoveryKit', () => {
  test('default', () => {
    expect(() => verifyRecoveryKit(kit, account)).not.toThrow()
  })

  test('behavior: accepts an account whose first owner is an EOA', () => {
    const eoa = { kind: 'eoa', address: thirdParty } as const
    const { passkey: _, ...rest } = kit
    const walletAddress = computeAccountAddress(eoa)
    const own = {
      ...rest,
      walletAddress,
      eoaAddress: thirdParty,
      initializer: encodeInitializer(eoa),
    } as const
    expect(() => verifyRecoveryKit(own, walletAddress)).not.toThrow()
  })

  test.each<Partial<RecoveryKit>>([
    { walletAddress: thirdParty },
    { factory: thirdParty },
    { singleton: thirdParty },
    { saltNonce: '1' },
    { initializer: encodeInitializer({ kind: 'eoa', address: thirdParty }) },
    { module: thirdParty },
    { entryPoint: thirdParty },
    { eoaAddress: thirdParty },
    { passkey: { ...passkey, verifiers: '0x01' } },
    { passkey: { ...passkey, sharedSigner: thirdParty } },
    { passkey: undefined },
  ])('error: KIT_DIFFERS for %o', (changed) => {
    expect(() => verifyRecoveryKit({ ...kit, ...changed }, account)).toThrow(
      expect.objectContaining({ code: 'KIT_DIFFERS' }),
    )
  })
})

test('formatRecoveryKit', () => {
  const recoveryPage = 'https://wallet.example/recovery'
  expect(JSON.parse(formatRecoveryKit(kit, 'alice', recoveryPage))).toMatchObject({
    username: 'alice',
    recoveryPage,
    walletAddress: account,
    passkey,
    initializer: kit.initializer,
    networks: kit.networks,
  })
})
