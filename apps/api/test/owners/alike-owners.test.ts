/** @module-tag all */
import { computeSignerAddress, encodeCreateSigner } from '@lanyard/accounts'
import { type Address, concat, type Hex, parseEther } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { consentOf } from '../owner-consent.ts'
import { consenting, guardianRequests, newOwner } from './guarded-wallet.ts'
import { type OwnershipService, startOwnershipService } from './ownership-service.ts'

/* An added owner must behave alike on every network, or one signature would mean other things on each. */

const chainIds = [31337, 31338]
let service: OwnershipService
let wallet: Awaited<ReturnType<OwnershipService['createOwnedWallet']>>
beforeAll(async () => {
  service = await startOwnershipService(chainIds)
  wallet = await service.createOwnedWallet()
})
afterAll(() => service?.[Symbol.asyncDispose]())

const contracts = {
  // PUSH4 magic, PUSH1 224, SHL, PUSH0, MSTORE, PUSH1 32, PUSH0, RETURN
  lying: '0x631626ba7e60e01b5f5260205ff3',
  burning: '0x5b5f56', // JUMPDEST, PUSH0, JUMP
  refusing: '0x5f5ffd', // PUSH0, PUSH0, REVERT
  otherwise: '0x5f5f5ffd', // the same with another PUSH0
} as const satisfies Record<string, Hex>

const at = async (codes: readonly (Hex | undefined)[]): Promise<Address> => {
  const { address } = newOwner()
  for (const [index, bytecode] of codes.entries())
    if (bytecode) await service.on(chainIds[index] ?? 0).chain.setCode({ address, bytecode })
  return address
}

/** All three ways in which the service prepares a new owner. */
const answersTo = async (address: Address, signature?: Hex) => {
  const owner = { address, signature }
  const added = await service.prepare(wallet.address, { kind: 'addOwner', owner })
  const old = { address: wallet.owner.address }
  const change = { kind: 'replaceOwner', old, added: owner }
  const replaced = await service.prepare(wallet.address, change)
  const body = { walletAddress: wallet.address, ownerAddress: address, ownerSignature: signature }
  const single = await service.rest.post('/smart-account/owner/add', body)
  return [added, replaced, single]
}

const rejected = (message: RegExp) =>
  Array.from({ length: 3 }, () => ({
    status: 400,
    body: { code: 'INVALID_INPUT', issues: [{ message: expect.stringMatching(message) }] },
  }))
const accepted = [{ status: 200 }, { status: 200 }, { status: 200 }]

test('error: a contract on one network only, or with other code on another', async () => {
  const { refusing, otherwise } = contracts
  expect(await answersTo(await at([refusing]))).toMatchObject(rejected(/not the same on all networks/))
  expect(await answersTo(await at([refusing, otherwise]))).toMatchObject(rejected(/not the same/))
  expect(await answersTo(await at([refusing, refusing]))).toMatchObject(accepted)
})

test('error: a contract that accepts anything, or burns gas, on one network at least', async () => {
  const { lying, burning, refusing } = contracts
  expect(await answersTo(await at([lying, lying]))).toMatchObject(rejected(/random signature/))
  expect(await answersTo(await at([refusing, lying]))).toMatchObject(rejected(/random signature/))
  expect(await answersTo(await at([burning, burning]))).toMatchObject(rejected(/all the gas/))
})

test('behavior: an EIP-7702 account is a key, unless its code accepts anything', async () => {
  const [refusing, lying] = [await at([contracts.refusing, contracts.refusing]), await at([contracts.lying])]
  const delegateTo = (target: Address) => concat(['0xef0100', target])
  expect(await answersTo(await at([delegateTo(refusing)]))).toMatchObject(accepted)
  expect(await answersTo(await at([delegateTo(lying)]))).toMatchObject(rejected(/random signature/))
})

test('error: an address without code that no key has shown to be its own', async () => {
  const [key, other] = [newOwner(), newOwner()]
  expect(await answersTo(key.address)).toMatchObject(rejected(/no code and has sent nothing/))
  const foreign = [await consentOf(other, wallet.address), await consentOf(key, other.address)]
  for (const signature of foreign)
    expect(await answersTo(key.address, signature)).toMatchObject(rejected(/no signature of this address/))
  expect(await answersTo(key.address, await consentOf(key, wallet.address))).toMatchObject(accepted)
})

test('behavior: a key that has sent a transaction, or owns the account, needs no signature', async () => {
  const { address } = newOwner()
  await service.on(31338).chain.setNonce({ address, nonce: 1 })
  expect(await answersTo(address)).toMatchObject(accepted)
  expect(await answersTo(wallet.owner.address)).toMatchObject(accepted)
})

test('behavior: the signer contract of a passkey is the same everywhere, once it is on one network', async () => {
  const { signer } = await service.createPasskeyUser()
  const address = computeSignerAddress(signer)
  expect(await answersTo(address)).toMatchObject(rejected(/name a passkey by its public key/))
  const { to, data } = encodeCreateSigner(signer)
  const { chain } = service.on(31337)
  const payer = newOwner()
  await chain.setBalance({ address: payer.address, value: parseEther('1') })
  await chain.sendTransaction({ account: payer, chain: null, to, data })
  expect(await answersTo(address)).toMatchObject(accepted)
})

test('error: guardians are not asked to sign a recovery to such a contract', async () => {
  const guardian = newOwner()
  const guardians = { members: [guardian.address], threshold: 1, delay: 86_400 }
  await service.change(wallet, wallet.owner, { kind: 'setGuardians', guardians })
  await service.waitForChange(wallet.address, '0')
  const { prepareRecovery } = guardianRequests(service)
  const address = await at([contracts.refusing])
  expect(await prepareRecovery(wallet.address, [{ address }])).toMatchObject(
    rejected(/not the same on all networks/)[0] ?? {},
  )
  const next = newOwner()
  expect(await prepareRecovery(wallet.address, [{ address: next.address }])).toMatchObject(
    rejected(/has sent nothing/)[0] ?? {},
  )
  expect(await prepareRecovery(wallet.address, [await consenting(next, wallet.address)])).toMatchObject({
    status: 200,
  })
})
