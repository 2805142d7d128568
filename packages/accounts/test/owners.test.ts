import { devAccounts } from '@lanyard/devnet'
import { safeAbi, safeWebAuthnSignerFactoryAbi } from '@lanyard/onchain'
import { getContractAddress, type Hex, hexToBytes } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type AccountOwner,
  type Call,
  computeAccountAddress,
  computeSignerAddress,
  defaultDeployment,
  defaultVerifiers,
  encodeAddOwner,
  encodeCalls,
  encodeCreateSigner,
  encodeRemoveOwner,
  encodeSignature,
  encodeWebAuthnSignature,
  getSafeOperationHash,
} from '../src/index.ts'
import { chainId, startChain } from './entry-point.ts'
import { operationOf } from './operation.ts'
import { SoftwareAuthenticator } from './software-authenticator.ts'

let chain: Awaited<ReturnType<typeof startChain>>
beforeAll(async () => {
  chain = await startChain()
})
afterAll(async () => {
  await chain[Symbol.asyncDispose]()
})

const eoa = privateKeyToAccount(devAccounts[1]?.privateKey ?? '0x')
const owner: AccountOwner = { kind: 'eoa', address: eoa.address }
const account = computeAccountAddress(owner)
const authenticator = new SoftwareAuthenticator()
const added = { ...authenticator.publicKey, verifiers: defaultVerifiers }
const signer = computeSignerAddress(added)

async function send(calls: readonly Call[], sign: (hash: Hex) => Promise<Hex>) {
  const deployed = (await chain.client.getCode({ address: account })) !== undefined
  const operation = operationOf(owner, {
    nonce: await chain.nonceOf(account),
    callData: encodeCalls(calls),
    ...(deployed ? { initCode: '0x' } : {}),
  })
  const signatures = await sign(getSafeOperationHash(operation, { chainId }))
  return chain.handleOps({
    ...operation,
    signature: encodeSignature({ validAfter: 0, validUntil: 0, signatures }),
  })
}
const byEoa = (hash: Hex) => eoa.sign({ hash })
async function byPasskey(hash: Hex) {
  const assertion = authenticator.get({ challenge: hexToBytes(hash) })
  const result = encodeWebAuthnSignature({ hash, assertion, signer })
  if (!result.ok) throw new Error(result.message)
  return result.signature
}
const ownersOf = () =>
  chain.client.readContract({ address: account, abi: safeAbi, functionName: 'getOwners' })

describe('a second owner', () => {
  test('computeSignerAddress: matches the factory', async () => {
    const onChain = await chain.client.readContract({
      address: defaultDeployment.signerFactory,
      abi: safeWebAuthnSignerFactoryAbi,
      functionName: 'getSigner',
      args: [added.x, added.y, added.verifiers],
    })
    expect(signer).toBe(onChain)
  })

  test('computeSignerAddress: uses the canonical singleton', () => {
    // The address known to wallets on live networks.
    expect(getContractAddress({ from: defaultDeployment.signerFactory, nonce: 1n })).toBe(
      '0x4E27b51350e6c2083EE19011120F50DAfEc5CA50',
    )
  })

  test('behavior: once added, it signs alone and removes the first owner', async () => {
    await chain.fund(account)
    const add = [encodeCreateSigner(added), encodeAddOwner({ account, owner: signer })]
    expect(await send(add, byEoa)).toMatchObject({ success: true })
    expect(await ownersOf()).toEqual([signer, eoa.address])

    const remove = encodeRemoveOwner({ account, owner: eoa.address, owners: await ownersOf() })
    expect(await send([remove], byPasskey)).toMatchObject({ success: true })
    expect(await ownersOf()).toEqual([signer])

    await expect(send([], byEoa)).rejects.toThrow('AA24')
    expect(await send([encodeAddOwner({ account, owner: eoa.address })], byPasskey)).toMatchObject({
      success: true,
    })
    const removeFirst = encodeRemoveOwner({ account, owner: eoa.address, owners: await ownersOf() })
    expect(await send([removeFirst], byPasskey)).toMatchObject({ success: true })
    expect(await ownersOf()).toEqual([signer])
  })
})

describe('encodeRemoveOwner', () => {
  test('error: NOT_AN_OWNER', () => {
    expect(() => encodeRemoveOwner({ account, owner: signer, owners: [eoa.address] })).toThrow(
      expect.objectContaining({ code: 'NOT_AN_OWNER' }),
    )
  })

  test('error: LAST_OWNER', () => {
    expect(() => encodeRemoveOwner({ account, owner: signer, owners: [signer] })).toThrow(
      expect.objectContaining({ code: 'LAST_OWNER' }),
    )
  })
})
