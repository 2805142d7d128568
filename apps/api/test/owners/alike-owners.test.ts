/** @module-tag all */
import { computeSignerAddress } from '@lanyard/accounts'
import { type Address, concat, type Hex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { guardianRequests, newOwner } from './guarded-wallet.ts'
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
const answersTo = async (address: Address) => {
  const added = await service.prepare(wallet.address, { kind: 'addOwner', owner: { address } })
  const old = { address: wallet.owner.address }
  const change = { kind: 'replaceOwner', old, added: { address } }
  const replaced = await service.prepare(wallet.address, change)
  const body = { walletAddress: wallet.address, ownerAddress: address }
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

test('behavior: a key, and the signer contract of a passkey, are the same everywhere', async () => {
  expect(await answersTo(newOwner().address)).toMatchObject(accepted)
  const friend = await service.createPasskeyUser()
  expect(await answersTo(computeSignerAddress(friend.signer))).toMatchObject(accepted)
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
  expect(await prepareRecovery(wallet.address, [{ address: newOwner().address }])).toMatchObject({
    status: 200,
  })
})
