import {
  computeAccountAddress,
  computeSignerAddress,
  defaultDeployment,
  defaultVerifiers,
  encodeAddOwner,
  encodeContractSignature,
  encodeCreateSigner,
  encodeInitCode,
  encodeSignature,
  type SignedUserOperation,
} from '@lanyard/accounts'
import { ownershipAddress, sessionKeysAddress } from '@lanyard/devnet'
import { safeAbi } from '@lanyard/onchain'
import { randomAddress, randomP256KeyPair } from '@lanyard/testing'
import { type Address, encodeFunctionData, type Hex, pad, toHex } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Fixture, type FixtureAccount, nothing, startFixture } from '../../test/fixture.ts'
import type { Bundler } from '../index.ts'
import { findForeignSenders } from './foreign-senders.ts'

/** Burns all gas that it gets: JUMPDEST PUSH0 JUMP. */
const burnsGas: Hex = '0x5b5f56'

const slots = [
  ['singleton', pad('0x00')],
  ['handler', '0x6c9a6c4a39284e37ed1cf53d337577d14212a4870fb976a4366c693b939918d5'],
  ['guard', '0x4a204f620c8c5ccdca3fd54d003badd85ba500436a431f0cbda4f558c93c34c8'],
  ['guard', '0xb104e0b93118902c651344349b610029d694cfdec91c589c91ebafbcd0289947'], // of modules, Safe 1.5.0
] as const

describe('findForeignSenders', () => {
  let fixture: Fixture
  let bundler: Bundler
  beforeAll(async () => {
    fixture = await startFixture(
      'pglite',
      {},
      { sessionKeys: sessionKeysAddress, ownership: ownershipAddress },
    )
    bundler = fixture.bundler()
  })
  afterAll(() => fixture[Symbol.asyncDispose]())

  async function include(operation: SignedUserOperation) {
    const hash = await fixture.submit(bundler, operation)
    await bundler.drive()
    await fixture.noticeInclusion()
    expect(await fixture.events(hash)).toHaveLength(1)
  }

  async function deployed(): Promise<FixtureAccount> {
    const account = await fixture.account()
    await include(await fixture.build(bundler, account, [nothing]))
    return account
  }

  const operationOf = (account: FixtureAccount) => fixture.draft(account, [nothing])
  const externalPart = async (operation: SignedUserOperation) =>
    (await findForeignSenders(fixture.network, [operation])).get(operation.sender.toLowerCase())

  test('default: accounts as the service deploys them, before and after', async () => {
    const account = await fixture.account()
    expect(await externalPart(await operationOf(account))).toBeUndefined()
    await include(await fixture.build(bundler, account, [nothing]))
    expect(await externalPart(await operationOf(account))).toBeUndefined()
  })

  test('args: accounts of passkeys, with the verifiers that the service knows', async () => {
    const owner = { kind: 'passkey', ...publicKey(), verifiers: defaultVerifiers } as const
    const address = await fixture.register(owner)
    const operation = await fixture.draft({ owner, address }, [nothing])
    expect(await externalPart(operation)).toBeUndefined()
    const other = { ...owner, verifiers: defaultVerifiers + 1n }
    const external = await fixture.draft({ owner: other, address: await fixture.register(other) }, [nothing])
    expect(await externalPart(external)).toBe('initCode')
  })

  test('args: a passkey added later signs by the contract of the known factory, and by no other', async () => {
    const account = await deployed()
    const passkey = { ...publicKey(), verifiers: defaultVerifiers }
    const signer = computeSignerAddress(passkey)
    const add = [encodeCreateSigner(passkey), encodeAddOwner({ account: account.address, owner: signer })]
    await include(await fixture.build(bundler, account, add))
    const signedBy = async (by: Address) => ({
      ...(await operationOf(account)),
      signature: encodeSignature({
        validAfter: 0,
        validUntil: 0,
        signatures: encodeContractSignature(by, pad('0x', { size: 200 })),
      }),
    })
    expect(await externalPart(await signedBy(signer))).toBeUndefined()
    const liar = randomAddress()
    // Returns what the genuine contract would: PUSH32 x, y, verifiers to memory, RETURN.
    const word = (value: bigint, at: number) =>
      `7f${toHex(value, { size: 32 }).slice(2)}60${toHex(at, { size: 1 }).slice(2)}52`
    await fixture.chain.setCode({
      address: liar,
      bytecode: `0x${word(passkey.x, 0)}${word(passkey.y, 32)}${word(passkey.verifiers, 64)}60605ff3`,
    })
    expect(await externalPart(await signedBy(liar))).toBe('signer')
    await include(await fixture.build(bundler, account, [call(account, 'changeThreshold', [2n])]))
    expect(await externalPart(await signedBy(signer))).toBe('signer')
  })

  test('args: each foreign part', async () => {
    const account = await deployed()
    const operation = await operationOf(account)
    for (const [part, slot] of slots) {
      const before = await fixture.chain.getStorageAt({ address: account.address, slot })
      await fixture.chain.setStorageAt({ address: account.address, index: slot, value: pad(randomAddress()) })
      expect(await externalPart(operation)).toBe(part)
      await fixture.chain.setStorageAt({ address: account.address, index: slot, value: before ?? pad('0x') })
    }
    expect(await externalPart(operation)).toBeUndefined()
    await include(await fixture.build(bundler, account, [call(account, 'enableModule', [randomAddress()])]))
    expect(await externalPart(operation)).toBe('modules')
  })

  test('args: accounts with Ownership, created with it or enabled later in any order', async () => {
    const { signer, owner } = await fixture.account()
    const deployment = { ...defaultDeployment, ownership: ownershipAddress }
    const address = computeAccountAddress(owner, deployment)
    const operation = await operationOf({ signer, owner, address })
    const created = { ...operation, initCode: encodeInitCode(owner, deployment) }
    expect(await externalPart(created)).toBeUndefined()
    const other = { ...defaultDeployment, ownership: randomAddress() }
    const external = { ...operation, initCode: encodeInitCode(owner, other) }
    expect(await externalPart({ ...external, sender: computeAccountAddress(owner, other) })).toBe('initCode')

    for (const modules of [
      [ownershipAddress, sessionKeysAddress],
      [sessionKeysAddress, ownershipAddress],
    ]) {
      const account = await deployed()
      for (const module of modules) {
        await include(await fixture.build(bundler, account, [call(account, 'enableModule', [module])]))
        expect(await externalPart(await operationOf(account))).toBeUndefined()
      }
      await include(await fixture.build(bundler, account, [call(account, 'enableModule', [randomAddress()])]))
      expect(await externalPart(await operationOf(account))).toBe('modules')
    }
  })

  test('args: an account that another factory, singleton or salt deploys', async () => {
    const account = await fixture.account()
    const operation = await operationOf(account)
    const other = { ...defaultDeployment, singleton: randomAddress() }
    for (const initCode of [
      encodeInitCode(account.owner, { ...defaultDeployment, factory: randomAddress() }),
      encodeInitCode(account.owner, other),
      encodeInitCode(account.owner, { ...defaultDeployment, saltNonce: 1n }),
      encodeInitCode({ kind: 'eoa', address: randomAddress() }),
      '0x01' as const,
    ]) {
      expect(await externalPart({ ...operation, initCode })).toBe('initCode')
    }
  })

  test('behavior: foreign code that uses up the gas of the reads hides and accuses nobody', async () => {
    const honest = [await deployed(), await deployed()]
    const hostile = await deployed()
    const signer = randomAddress()
    await fixture.chain.setCode({ address: signer, bytecode: burnsGas })
    const signatures = encodeContractSignature(signer, pad('0x', { size: 200 }))
    const burning = {
      ...(await operationOf(hostile)),
      signature: encodeSignature({ validAfter: 0, validUntil: 0, signatures }),
    }
    const [first, last] = await Promise.all(honest.map(operationOf))
    if (!first || !last) throw new TypeError('two accounts')
    const found = await findForeignSenders(fixture.network, [first, burning, last])
    expect([...found.keys()]).toEqual([hostile.address.toLowerCase()])
  })
})

function publicKey() {
  const { x = '', y = '' } = randomP256KeyPair().publicKey.export({ format: 'jwk' })
  const toInteger = (text: string) => BigInt(`0x${Buffer.from(text, 'base64url').toString('hex')}`)
  return { x: toInteger(x), y: toInteger(y) }
}

const call = (
  { address }: FixtureAccount,
  functionName: 'changeThreshold' | 'enableModule',
  args: readonly [bigint] | readonly [Address],
) => ({ to: address, value: 0n, data: encodeFunctionData({ abi: safeAbi, functionName, args } as never) }) // each pair fits
