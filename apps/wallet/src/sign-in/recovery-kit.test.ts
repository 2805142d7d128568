import {
  computeAccountAddress,
  defaultDeployment,
  defaultVerifiers,
  encodeInitializer,
  type PasskeyOwner,
} from '@lanyard/accounts'
import { knownModule } from '@lanyard/calls'
import { type Address, numberToHex } from 'viem'
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
/** Of a network as the service names it. */
const deploymentContext = {
  sessionKeys: '0x90F79bf6EB2c4f870365E785982E1f101E93b906',
  smartBalance: undefined,
} as const
const module = knownModule(deploymentContext)
const noNetworks = async () => []
const passkey = {
  rpId: 'localhost',
  x: numberToHex(owner.x, { size: 32 }),
  y: numberToHex(owner.y, { size: 32 }),
  verifiers: numberToHex(owner.verifiers, { size: 22 }),
  sharedSigner: defaultDeployment.sharedSigner,
}
const kit: RecoveryKit = {
  walletAddress: account,
  factory: defaultDeployment.factory,
  singleton: defaultDeployment.singleton,
  saltNonce: '0',
  initializer: encodeInitializer(owner),
  module: defaultDeployment.module,
  entryPoint: defaultDeployment.entryPoint,
  passkey,
  networks: [{ network: 31337, name: 'Local 1', rpcUrl: 'http://127.0.0.1:8545', tokens: [] }],
}

describe('verifyRecoveryKit', () => {
  test('default', async () => {
    await expect(verifyRecoveryKit(kit, account, noNetworks)).resolves.toEqual(owner)
  })

  test('behavior: accepts an account whose first owner is an EOA', async () => {
    const eoa = { kind: 'eoa', address: thirdParty } as const
    const { passkey: _, ...rest } = kit
    const walletAddress = computeAccountAddress(eoa)
    const own = {
      ...rest,
      walletAddress,
      eoaAddress: thirdParty,
      initializer: encodeInitializer(eoa),
    } as const
    await expect(verifyRecoveryKit(own, walletAddress, noNetworks)).resolves.toEqual(eoa)
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
    { ownership: module },
  ])('error: KIT_DIFFERS for %o', async (changed) => {
    await expect(verifyRecoveryKit({ ...kit, ...changed }, account, noNetworks)).rejects.toMatchObject({
      code: 'KIT_DIFFERS',
    })
  })
})

describe('verifyRecoveryKit of an account that is created with Ownership', () => {
  const kitWith = (ownership: Address): RecoveryKit => {
    const deployment = { ...defaultDeployment, ownership }
    const walletAddress = computeAccountAddress(owner, deployment)
    return { ...kit, ownership, walletAddress, initializer: encodeInitializer(owner, deployment) }
  }
  const own = kitWith(module)

  test('default', async () => {
    await expect(verifyRecoveryKit(own, own.walletAddress, async () => [deploymentContext])).resolves.toEqual(
      owner,
    )
  })

  test('error: FOREIGN_MODULE for a module that does not follow from the code', async () => {
    const external = kitWith(thirdParty)
    await expect(
      verifyRecoveryKit(external, external.walletAddress, async () => [deploymentContext]),
    ).rejects.toMatchObject({ code: 'FOREIGN_MODULE' })
    await expect(verifyRecoveryKit(own, own.walletAddress, noNetworks)).rejects.toMatchObject({
      code: 'FOREIGN_MODULE',
    })
  })

  test('error: KIT_DIFFERS for a kit without the module, or with another', async () => {
    const { ownership: _, ...without } = own
    for (const changed of [without, { ...own, ownership: thirdParty } as const]) {
      await expect(
        verifyRecoveryKit(changed, own.walletAddress, async () => [deploymentContext]),
      ).rejects.toMatchObject({ code: 'KIT_DIFFERS' })
    }
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
