/** @module-tag all */

import { type OwnerChange, ownerChangeTypedData } from '@lanyard/accounts'
import { safeAbi } from '@lanyard/onchain'
import { type Address, encodeFunctionData, hexToBytes } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { consenting, newOwner } from './guarded-wallet.ts'
import { type OwnershipService, startOwnershipService } from './ownership-service.ts'

const chainIds = [31337, 31338]
let service: OwnershipService
beforeAll(async () => {
  service = await startOwnershipService(chainIds)
})
afterAll(() => service?.[Symbol.asyncDispose]())

const ownersOn = (network: number, address: Address) =>
  service.on(network).chain.readContract({ address, abi: safeAbi, functionName: 'getOwners' })

test('default: one signature replaces the owner on both networks, and guardians follow', async () => {
  const wallet = await service.createOwnedWallet()
  const next = newOwner()
  const { body: prepared } = await service.prepare(wallet.address, {
    kind: 'replaceOwner',
    old: { address: wallet.owner.address },
    added: await consenting(next, wallet.address),
  })
  const { module, sequence, kind, data, messageToSign } = prepared
  expect(sequence).toBe('0')
  const wanted: OwnerChange = {
    kind: 'replaceOwner',
    old: { kind: 'eoa', address: wallet.owner.address },
    added: { kind: 'eoa', address: next.address },
  }
  const typedData = ownerChangeTypedData(wanted, { module, account: wallet.address, sequence: 0n })
  const fields = { walletAddress: wallet.address, sequence, kind, data }

  // A third party, another sequence, and bytes that are no change.
  const external = await newOwner().signTypedData(typedData)
  const signature = await wallet.owner.signTypedData(typedData)
  const invalid = { status: 400, body: { code: 'INVALID_SIGNATURE' } }
  expect(await service.submit({ ...fields, signature: external })).toMatchObject(invalid)
  expect(await service.submit({ ...fields, sequence: '1', signature })).toMatchObject(invalid)
  expect(await service.submit({ ...fields, data: '0x00', signature })).toMatchObject({
    status: 400,
    body: { code: 'INVALID_INPUT' },
  })

  expect(await service.submit({ ...fields, signature })).toMatchObject({
    status: 200,
    body: { module, split: false, changes: [{ sequence: '0', messageToSign }] },
  })
  // The next one does not wait for the networks; personal_sign is accepted, too.
  const guardians = { members: [newOwner().address], threshold: 1, delay: 86_400 }
  const { body: second } = await service.prepare(wallet.address, { kind: 'setGuardians', guardians })
  expect(second.sequence).toBe('1')
  const accepted = await service.submit({
    walletAddress: wallet.address,
    ...{ sequence: '1', kind: second.kind, data: second.data },
    signature: await next.signMessage({ message: { raw: hexToBytes(second.messageToSign) } }),
  })
  expect(accepted).toMatchObject({ status: 200 })

  await service.waitForChange(wallet.address, '1')
  for (const network of chainIds) expect(await ownersOn(network, wallet.address)).toEqual([next.address])
  const { body } = await service.statusOf(wallet.address)
  expect(body).toMatchObject({ split: false, networks: [{ sequence: '2' }, { sequence: '2' }] })
  expect(body.networks[0].guardians).toBe(body.networks[1].guardians)
  expect(await service.submit({ ...fields, signature })).toMatchObject({ status: 200 })
})

test('behavior: owners that were changed by hand on one network differ, although no change is missing there', async () => {
  const wallet = await service.createOwnedWallet()
  await service.change(wallet, wallet.owner, { kind: 'revokeSessions' })
  await service.waitForChange(wallet.address, '0')
  expect((await service.statusOf(wallet.address)).body).toMatchObject({ split: false, ownersDiffer: false })

  const added = newOwner().address
  const byHand = encodeFunctionData({
    abi: safeAbi,
    functionName: 'addOwnerWithThreshold',
    args: [added, 1n],
  })
  await service.callAs(31338, wallet.address, wallet.address, byHand)
  expect(await ownersOn(31338, wallet.address)).toContain(added)
  const { body } = await service.statusOf(wallet.address)
  expect(body).toMatchObject({ split: false, ownersDiffer: true })
  expect(body.networks[0].head).toBe(body.networks[1].head)
})

test('error: OTHER_CHANGE_SIGNED', async () => {
  const wallet = await service.createOwnedWallet()
  const { body: one } = await service.prepare(wallet.address, { kind: 'cancel' })
  const { body: two } = await service.prepare(wallet.address, { kind: 'revokeSessions' })
  const send = async ({ sequence, kind, data, messageToSign }: typeof one) => {
    const signature = await wallet.owner.sign({ hash: messageToSign })
    return service.submit({ walletAddress: wallet.address, sequence, kind, data, signature })
  }
  expect(await send(one)).toMatchObject({ status: 200 })
  expect(await send(two)).toMatchObject({ status: 409, body: { code: 'OTHER_CHANGE_SIGNED' } })
})

test('error: INVALID_SIGNATURE while no network has the module', async () => {
  const wallet = await service.createWallet()
  expect(await service.change(wallet, wallet.owner, { kind: 'cancel' })).toMatchObject({
    status: 400,
    body: { code: 'INVALID_SIGNATURE' },
  })
})
