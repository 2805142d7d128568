/** @module-tag all */
import { recoveryTypedData } from '@lanyard/accounts'
import { concat, hashTypedData, pad, toHex, zeroHash } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { encodeOwners } from '../../src/domain/owners/recovery/recovery.ts'
import { consenting, guardianRequests, newOwner } from './guarded-wallet.ts'
import { type OwnershipService, startOwnershipService } from './ownership-service.ts'

let service: OwnershipService
let requests: ReturnType<typeof guardianRequests>
beforeAll(async () => {
  service = await startOwnershipService([31337])
  requests = guardianRequests(service)
})
afterAll(() => service?.[Symbol.asyncDispose]())

test('default: collects the signatures of guardians, and of nobody else', async () => {
  const wallet = await requests.createGuardedWallet()
  const [anna, ben, cleo] = wallet.guardians
  const key = newOwner()
  const next = key.address
  const owned = await consenting(key, wallet.address)
  const { body: prepared } = await requests.prepareRecovery(wallet.owner.address, [owned])
  expect(prepared).toMatchObject({
    ...{ account: wallet.address, sequence: '1', number: '1', newOwners: [{ address: next }] },
    guardians: { threshold: 2, delay: 86_400 },
  })
  const { typedData } = prepared
  expect(hashTypedData({ ...typedData, types: typedData.types })).toBe(prepared.messageToSign)
  expect(
    hashTypedData(
      recoveryTypedData([{ kind: 'eoa', address: next }], {
        ...{ module: prepared.module, account: wallet.address, sequence: 1n, number: 1n },
      }),
    ),
  ).toBe(prepared.messageToSign)

  const byAnna = await requests.signBy(anna, prepared, next)
  const rejected = (code: string, status = 400) => ({ status, body: { code } })
  const external = newOwner()
  expect(await requests.signRecovery(await requests.signBy(external, prepared, next))).toMatchObject(
    rejected('NOT_A_GUARDIAN'),
  )
  const stolen = { ...byAnna, guardian: ben.address }
  expect(await requests.signRecovery(stolen)).toMatchObject(rejected('INVALID_SIGNATURE'))
  const other = { ...byAnna, newOwners: [{ address: external.address }] }
  expect(await requests.signRecovery(other)).toMatchObject(rejected('INVALID_SIGNATURE'))
  const later = await requests.signBy(anna, { ...prepared, sequence: '2' }, next)
  expect(await requests.signRecovery(later)).toMatchObject(rejected('STALE_RECOVERY', 409))

  const first = await requests.signRecovery(byAnna)
  const { messageToSign } = prepared
  expect(first).toMatchObject({
    status: 200,
    body: {
      account: wallet.address,
      recoveries: [
        { messageToSign, networks: [{ state: 'collecting', signed: [anna.address], threshold: 2 }] },
      ],
    },
  })

  // The next guardian signs the same message; another one gets the next number.
  const again = await requests.prepareRecovery(wallet.address, [owned])
  expect(again.body).toMatchObject({ number: '1', messageToSign })
  const conflicting = await requests.signBy(anna, prepared, external.address)
  expect(await requests.signRecovery(conflicting)).toMatchObject(rejected('STALE_RECOVERY', 409))
  const { body: second } = await requests.prepareRecovery(wallet.address, [
    await consenting(external, wallet.address),
  ])
  expect(second).toMatchObject({ number: '2' })
  const skipped = await requests.signBy(anna, { ...second, number: '3' }, external.address)
  expect(await requests.signRecovery(skipped)).toMatchObject(rejected('STALE_RECOVERY', 409))

  // Anna and Cleo sign for somebody else: what Anna signed before counts no more.
  const { body: replaced } = await requests.signRecovery(
    await requests.signBy(anna, second, external.address),
  )
  expect(replaced.recoveries).toMatchObject([
    { number: '2', newOwners: [{ address: external.address }], networks: [{ signed: [anna.address] }] },
  ])
  expect(await requests.signRecovery(byAnna)).toMatchObject(rejected('STALE_RECOVERY', 409))

  const { body: third } = await requests.prepareRecovery(wallet.address, [owned])
  expect(third).toMatchObject({ number: '3' })
  await requests.signRecovery(await requests.signBy(ben, third, next))
  const complete = await requests.signRecovery(await requests.signBy(cleo, third, next))
  expect(complete).toMatchObject({ status: 200, body: { recoveries: [{ number: '3' }, { number: '2' }] } })
  expect(complete.body.recoveries[0].networks[0].state).not.toBe('collecting')
  // Now only this one, or one that replaces it, can be started.
  const late = await requests.signRecovery(await requests.signBy(ben, second, external.address))
  expect(late).toMatchObject(rejected('OTHER_RECOVERY_SIGNED', 409))
})

test('attack: padding of a guardian’s signature is refused, because each network would pay for it', async () => {
  const wallet = await requests.createGuardedWallet()
  const [anna] = wallet.guardians
  // A contract that accepts whatever it is asked (ERC-1271).
  const bytecode = concat(['0x7f', pad('0x1626ba7e', { dir: 'right' }), '0x5f5260205ff3'])
  await service.on(31337).chain.setCode({ address: anna.address, bytecode })
  const key = newOwner()
  const next = key.address
  const { body: prepared } = await requests.prepareRecovery(wallet.address, [
    await consenting(key, wallet.address),
  ])
  const signed = await requests.signBy(anna, prepared, next)
  const sign = (bytes: number) =>
    requests.signRecovery({ ...signed, signature: `0x${'11'.repeat(bytes)}` as const })
  expect(await sign(2_049)).toMatchObject({ status: 400, body: { code: 'INVALID_SIGNATURE' } })
  expect(await sign(2_048)).toMatchObject({ status: 200 })
})

test('attack: a signature that its guardian has replaced does not come back', async () => {
  const wallet = await requests.createGuardedWallet({ threshold: 3 })
  const [anna, ben] = wallet.guardians
  const keys = [newOwner(), newOwner()] as const
  const [wrong, right] = [keys[0].address, keys[1].address]
  const owned = await Promise.all(keys.map((key) => consenting(key, wallet.address)))
  const { body: first } = await requests.prepareRecovery(wallet.address, owned.slice(0, 1))
  const replaced = await requests.signBy(anna, first, wrong)
  await requests.signRecovery(replaced)
  await requests.signRecovery(await requests.signBy(ben, first, wrong))
  const { body: second } = await requests.prepareRecovery(wallet.address, owned.slice(1))
  await requests.signRecovery(await requests.signBy(anna, second, right))
  const signed = [
    { number: '2', networks: [{ signed: [anna.address] }] },
    { number: '1', networks: [{ signed: [ben.address] }] },
  ]
  expect((await requests.recoveryOf(wallet.address)).body.recoveries).toMatchObject(signed)

  // Any reader of the first request can send it again.
  expect(await requests.signRecovery(replaced)).toMatchObject({
    status: 409,
    body: { code: 'STALE_RECOVERY' },
  })
  expect((await requests.recoveryOf(wallet.address)).body.recoveries).toMatchObject(signed)
})

/* With guardians of their own, anyone has each recovery signed by enough, and it is kept forever. */
test('attack: guardians do not make an account expensive to read', async () => {
  const wallet = await requests.createGuardedWallet({ threshold: 1 })
  const { db } = service.database
  const account = wallet.address.toLowerCase()
  const row = (sequence: number, number: number) => ({
    ...{ account, hash: toHex(sequence * 1_000 + number, { size: 32 }), sequence: BigInt(sequence) },
    ...{ number: BigInt(number), head: zeroHash, sent_by: 'app', result: zeroHash, new_threshold: 1n },
    new_owners: encodeOwners([{ kind: 'eoa', address: newOwner().address }]),
    ...{ created_at: new Date(), complete_at: new Date() },
  })
  const numbers = (count: number) => Array.from({ length: count }, (_, index) => index + 1)
  const rows = [
    ...numbers(300).map((number) => row(0, number)),
    ...numbers(63).map((number) => row(1, number)),
  ]
  await db.insertInto('recoveries').values(rows).execute()
  const guardian = wallet.guardians[0].address.toLowerCase()
  const signatures = rows.map(({ hash }) => ({
    ...{ account, hash, guardian, network: 0, signature: '0x', key: null, created_at: new Date() },
  }))
  await db.insertInto('recovery_signatures').values(signatures).execute()
  const { body } = await requests.recoveryOf(wallet.address)
  expect(body.recoveries).toHaveLength(64)

  const sign = async () => {
    const owned = await consenting(newOwner(), wallet.address)
    const next = owned.address
    const { body: prepared } = await requests.prepareRecovery(wallet.address, [owned])
    return requests.signRecovery(await requests.signBy(wallet.guardians[0], prepared, next))
  }
  expect(await sign()).toMatchObject({ status: 200 })
  expect(await sign()).toMatchObject({ status: 409, body: { code: 'STALE_RECOVERY' } })
  // What stops them is still taken.
  const context = { account: wallet.address, module: body.module, sequence: 1n, number: 65n }
  expect(await requests.cancelBy(wallet.guardians[0], context)).toMatchObject({ status: 200 })
})

test('error: NO_GUARDIANS, UNKNOWN_RECOVERY, UNKNOWN_WALLET', async () => {
  const wallet = await service.createOwnedWallet()
  const newOwners = [{ address: newOwner().address }]
  expect(await requests.prepareRecovery(wallet.address, newOwners)).toMatchObject({
    body: { code: 'NO_GUARDIANS' },
  })
  expect(await requests.executeRecovery(wallet.address, `0x${'11'.repeat(32)}`)).toMatchObject({
    body: { code: 'UNKNOWN_RECOVERY' },
  })
  expect(await requests.recoveryOf('nobody')).toMatchObject({ body: { code: 'UNKNOWN_WALLET' } })
})

test('behavior: guardians that an owner has just set are those who sign', async () => {
  const { address, owner } = await requests.createGuardedWallet()
  const anna = newOwner()
  const guardians = { members: [anna.address], threshold: 1, delay: 86_400 }
  const changed = await service.change({ address }, owner, { kind: 'setGuardians', guardians })
  expect(changed).toMatchObject({ status: 200 })
  const owned = await consenting(newOwner(), address)
  const { body: prepared } = await requests.prepareRecovery(address, [owned])
  expect(prepared).toMatchObject({ sequence: '2', guardians: { threshold: 1 } })
  const signed = await requests.signRecovery(await requests.signBy(anna, prepared, owned.address))
  expect(signed).toMatchObject({ status: 200 })
})
