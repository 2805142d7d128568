/** @module-tag all */
import {
  accountReads,
  computeSignerAddress,
  defaultVerifiers,
  encodeDisableModule,
  getGuardianProofHash,
  guardianProofTypedData,
  type PasskeyOwner,
  readSignerContract,
} from '@lanyard/accounts'
import { ownershipAddress } from '@lanyard/devnet'
import { safeAbi } from '@lanyard/onchain'
import { type Address, bytesToBigInt, concat, type Hex } from 'viem'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { sign } from '../orders/order-service.ts'
import { Authenticator } from '../passkeys/authenticator.ts'
import { consenting, guardianRequests, newOwner } from './guarded-wallet.ts'
import { fullKey, namedKey, signAsPasskey } from './guardian-passkeys.ts'
import { type OwnershipService, startOwnershipService } from './ownership-service.ts'

/* A guardian is the signer contract of a friend's passkey, which exists on no network: one signature counts on all. */

const chainIds = [31337, 31338]
const delay = 86_400
let service: OwnershipService
let requests: ReturnType<typeof guardianRequests>
beforeAll(async () => {
  service = await startOwnershipService(chainIds)
  requests = guardianRequests(service)
})
afterAll(() => service?.[Symbol.asyncDispose]())

const keyOf = ({ x, y }: Authenticator): PasskeyOwner => ({
  ...{ kind: 'passkey', x: bytesToBigInt(x), y: bytesToBigInt(y), verifiers: defaultVerifiers },
})
const newPasskey = () => new Authenticator('http://localhost:3000')

const codeOn = (network: number, address: Address) => service.on(network).chain.getCode({ address })

async function guardWith(members: readonly Address[], threshold: number) {
  const wallet = await service.createOwnedWallet()
  const guardians = { members, threshold, delay }
  await service.change(wallet, wallet.owner, { kind: 'setGuardians', guardians })
  await service.waitForChange(wallet.address, '0')
  const next = newOwner()
  const { body: prepared } = await requests.prepareRecovery(wallet.address, [
    await consenting(next, wallet.address),
  ])
  const request = (guardian: Address, more: object) => ({
    ...{ account: wallet.address, sequence: prepared.sequence, number: prepared.number },
    ...{ newOwners: [{ address: next.address }], guardian, ...more },
  })
  return { ...wallet, next, prepared, request, hash: prepared.messageToSign }
}

const waitForState = (account: Address, state: string) =>
  vi.waitFor(
    async () => {
      const { body } = await requests.recoveryOf(account)
      expect(body.recoveries[0].networks).toMatchObject(chainIds.map(() => ({ state })))
      return body
    },
    { timeout: 180_000, interval: 500 },
  )

test('default: a passkey without any account signs once, and recovers on every network', async () => {
  const anna = newPasskey()
  const signer = computeSignerAddress(keyOf(anna))
  const guarded = await guardWith([signer], 1)
  const { address, next, request, hash } = guarded
  for (const network of chainIds) expect(await codeOn(network, signer)).toBe(undefined)

  const signature = signAsPasskey(anna, hash)
  const answer = await requests.signRecovery(request(signer, { signature, key: namedKey(anna) }))
  expect(answer).toMatchObject({ status: 200 })
  expect(answer.body.recoveries[0].networks).toMatchObject(chainIds.map(() => ({ signed: [signer] })))
  await waitForState(address, 'running')
  // The start created the contract, and its code names the key.
  for (const network of chainIds) {
    expect(readSignerContract(signer, await codeOn(network, signer))).toEqual(keyOf(anna))
  }

  for (const network of chainIds) {
    await service.on(network).chain.increaseTime({ seconds: delay + 60 })
    await service.on(network).chain.mine({ blocks: 1 })
  }
  service.advance((delay + 60) * 1_000)
  await waitForState(address, 'executed')
  for (const network of chainIds) {
    const { chain } = service.on(network)
    const owners = await chain.readContract({ address, abi: safeAbi, functionName: 'getOwners' })
    expect(owners).toEqual([next.address])
  }
})

test('behavior: a passkey of this service needs no key in the request, and nobody else signs for it', async () => {
  const { passkey, signer: key } = await service.createPasskeyUser()
  const ben = newOwner()
  const signer = computeSignerAddress(key)
  const { address, request, hash, prepared, next } = await guardWith([signer, ben.address], 2)
  const rejected = (code: string) => ({ status: 400, body: { code } })

  const thief = newPasskey()
  const stolen = { signature: signAsPasskey(thief, hash) }
  expect(await requests.signRecovery(request(signer, stolen))).toMatchObject(rejected('INVALID_SIGNATURE'))
  expect(await requests.signRecovery(request(signer, { ...stolen, key: namedKey(thief) }))).toMatchObject(
    rejected('INVALID_INPUT'),
  )
  const other = computeSignerAddress({ ...key, verifiers: 1n })
  expect(
    await requests.signRecovery(
      request(other, { signature: signAsPasskey(passkey, hash), key: fullKey({ ...key, verifiers: 1n }) }),
    ),
  ).toMatchObject(rejected('NOT_A_GUARDIAN'))
  const ofOther = signAsPasskey(passkey, `0x${'11'.repeat(32)}`)
  expect(await requests.signRecovery(request(signer, { signature: ofOther }))).toMatchObject(
    rejected('INVALID_SIGNATURE'),
  )

  const signature = signAsPasskey(passkey, hash)
  expect(await requests.signRecovery(request(signer, { signature }))).toMatchObject({ status: 200 })
  await requests.signRecovery(await requests.signBy(ben, prepared, next.address))
  await waitForState(address, 'running')
})

/** Contracts as guardians: they answer every question with the magic value, burn all gas, or exist on one network only. */
const contracts = {
  // PUSH4 magic, PUSH1 224, SHL, PUSH0, MSTORE, PUSH1 32, PUSH0, RETURN
  lying: '0x631626ba7e60e01b5f5260205ff3',
  burning: '0x5b5f56', // JUMPDEST, PUSH0, JUMP
  refusing: '0x5f5ffd', // PUSH0, PUSH0, REVERT
} as const satisfies Record<string, Hex>

const check = (account: Address, guardian: string, more: object = {}) =>
  service.rest.post('/smart-account/guardian/check', { account, guardian, ...more })

const everywhere = (problem: string) => ({
  body: { networks: chainIds.map((network) => ({ network, status: 'up', problem })) },
})

test('behavior: says before they are named who could not help, and on which network', async () => {
  const wallet = await service.createOwnedWallet()
  const { address, owner } = wallet
  expect(await check(address, address)).toMatchObject(everywhere('ACCOUNT_ITSELF'))
  expect(await check(address, owner.address)).toMatchObject(everywhere('OWNER'))
  // An exchange's address has no code either: nothing shows a key.
  const exchange = newOwner().address
  const answer = await check(address, exchange)
  expect(answer).toMatchObject(everywhere('UNPROVEN'))
  expect(answer.body).toMatchObject({ guardian: exchange, kind: 'unknown' })

  // A key that delegates to a contract (EIP-7702) is a key.
  const delegated = newOwner().address
  const places: Record<keyof typeof contracts, Address> = {
    ...{ lying: newOwner().address, burning: newOwner().address, refusing: newOwner().address },
  }
  for (const network of chainIds) {
    const { chain } = service.on(network)
    await chain.setCode({ address: delegated, bytecode: concat(['0xef0100', exchange]) })
    for (const name of ['lying', 'burning'] as const)
      await chain.setCode({ address: places[name], bytecode: contracts[name] })
  }
  await service.on(31337).chain.setCode({ address: places.refusing, bytecode: contracts.refusing })
  expect(await check(address, delegated)).toMatchObject({ body: { kind: 'unknown' } })
  expect(await check(address, places.lying)).toMatchObject(everywhere('ACCEPTS_ANYTHING'))
  expect(await check(address, places.burning)).toMatchObject(everywhere('BURNS_GAS'))
  expect((await check(address, places.refusing)).body).toMatchObject({
    kind: 'contract',
    networks: [{ problem: 'UNPROVEN' }, { problem: 'NOT_THERE' }],
  })
  expect(await check(address, 'nobody-of-this-name')).toMatchObject({ body: { code: 'UNKNOWN_WALLET' } })
})

test('behavior: a guardian who signed a recovery has shown that they can sign', async () => {
  const ben = newOwner()
  const { address, prepared, next } = await guardWith([ben.address, newOwner().address], 2)
  const problemsOf = async (guardian: Address) => {
    const { body } = await service.rest.get(`/smart-account/guardians?account=${address}`)
    const found = body.guardians.find((one: { guardian: string }) => one.guardian === guardian)
    return found.networks.map(({ problem }: { problem?: string }) => problem)
  }
  expect(await problemsOf(ben.address)).toEqual(['UNPROVEN', 'UNPROVEN'])
  await requests.signRecovery(await requests.signBy(ben, prepared, next.address))
  expect(await problemsOf(ben.address)).toEqual([undefined, undefined])
})

test('behavior: where an account has disabled the module, its guardians are none', async () => {
  const { address, owner } = await guardWith([newOwner().address], 1)
  const [network = 0, other = 0] = chainIds
  const { chain } = service.on(network)
  const [modules] = await chain.readContract(accountReads(address).modules)
  const disabling = encodeDisableModule({ account: address, module: ownershipAddress, modules })
  const built = await service.build({
    ...{ network: String(network), walletAddress: address },
    transactionDetails: [{ targetContractAddress: address, encodedData: disabling?.data, value: '0' }],
  })
  const signature = await sign.raw(owner, built.body.messageToSign)
  const done = await service.rest.post('/smart-account/transaction/submit', {
    walletAddress: address,
    signature,
  })
  expect(done.body).toMatchObject({ success: true })

  const { body } = await service.rest.get(`/smart-account/guardians?account=${address}`)
  expect(body.networks).toEqual([
    { network, status: 'up' },
    { network: other, status: 'up', current: expect.any(Object) },
  ])
  const status = await service.statusOf(address)
  expect(status.body.networks.map((one: { guardians?: string }) => one.guardians !== undefined)).toEqual([
    false,
    true,
  ])
  // The next check says so in the console, and by an event.
  await service.database.db
    .updateTable('guardian_watches')
    .set({ next_check_at: new Date(0) })
    .where('account', '=', address.toLowerCase())
    .execute()
  await vi.waitFor(
    async () => {
      const problems = await service.database.db
        .selectFrom('guardian_problems')
        .select(['network', 'problem'])
        .where('account', '=', address.toLowerCase())
        .where('network', '=', network)
        .execute()
      expect(problems).toEqual([{ network, problem: 'NOT_ENABLED' }])
    },
    { timeout: 60_000, interval: 300 },
  )
})

test('behavior: a friend is named by their passkey or their key, never by their account', async () => {
  const { address } = await service.createOwnedWallet()
  const friend = await service.createPasskeyUser()
  const able = chainIds.map((network) => ({ network, status: 'up' }))
  for (const name of [friend.username, friend.address]) {
    const { body } = await check(address, name)
    expect(body).toMatchObject({ guardian: computeSignerAddress(friend.signer), kind: 'passkey' })
    expect(body).toMatchObject({ username: friend.username, key: fullKey(friend.signer) })
    expect(body.networks).toEqual(able)
  }
  // The owner's own passkey would be lost with the account.
  expect(await check(friend.address, computeSignerAddress(friend.signer))).toMatchObject(everywhere('OWNER'))
  const ofKey = await service.createWallet()
  expect((await check(address, ofKey.address)).body).toMatchObject({ guardian: ofKey.owner.address })

  // A passkey that this service never saw.
  const stranger = newPasskey()
  const signer = computeSignerAddress(keyOf(stranger))
  expect((await check(address, signer)).body.kind).toBe('unknown')
  expect((await check(address, signer, { key: namedKey(stranger) })).body.networks).toEqual(able)
})

test('behavior: a proof shows that a guardian can sign, and the daily check names who cannot any more', async () => {
  const friend = await service.createPasskeyUser()
  const [anna, exchange] = [newOwner(), newOwner().address]
  const signer = computeSignerAddress(friend.signer)
  const { address } = await guardWith([anna.address, exchange, signer], 2)
  const prove = (body: object) =>
    service.rest.post('/smart-account/guardian/prove', { account: address, ...body })
  const time = Math.floor(Date.now() / 1000)
  const byAnna = { account: address, guardian: anna.address, time }
  const signature = await anna.signTypedData(guardianProofTypedData(byAnna))
  const rejected = (code: string) => ({ status: 400, body: { code } })

  expect(await prove({ ...byAnna, guardian: newOwner().address, signature })).toMatchObject(
    rejected('NOT_A_GUARDIAN'),
  )
  expect(await prove({ ...byAnna, guardian: exchange, signature })).toMatchObject(
    rejected('INVALID_SIGNATURE'),
  )
  expect(await prove({ ...byAnna, time: time - 1, signature })).toMatchObject(rejected('INVALID_SIGNATURE'))
  const later = { ...byAnna, time: time + 2 * 86_400 + 3_600 }
  const early = await anna.signTypedData(guardianProofTypedData(later))
  expect(await prove({ ...later, signature: early })).toMatchObject(rejected('INVALID_INPUT'))
  expect(await prove({ ...byAnna, signature })).toMatchObject({
    status: 200,
    body: { kind: 'eoa', provenAt: time },
  })
  const ofFriend = { account: address, guardian: signer, time }
  const assertion = signAsPasskey(friend.passkey, getGuardianProofHash(ofFriend))
  expect(await prove({ ...ofFriend, signature: assertion })).toMatchObject({ body: { provenAt: time } })

  const watch = () =>
    service.database.db
      .selectFrom('guardian_watches')
      .select('next_check_at')
      .where('account', '=', address.toLowerCase())
      .executeTakeFirstOrThrow()
  const problems = () =>
    service.database.db
      .selectFrom('guardian_problems')
      .select(['guardian', 'network', 'problem'])
      .where('account', '=', address.toLowerCase())
      .orderBy('guardian')
      .orderBy('network')
      .execute()
  const ofExchange = chainIds.map((network) => ({
    ...{ guardian: exchange, network, problem: 'UNPROVEN' },
  }))
  await vi.waitFor(async () => expect(await problems()).toEqual(ofExchange), {
    timeout: 60_000,
    interval: 300,
  })

  // The check names its problems first, and then when it comes again.
  const soon = service.service.services.now().getTime() + 2 * 60 * 60_000
  await expect.poll(async () => (await watch()).next_check_at.getTime()).toBeGreaterThan(soon)
  // A proof that was seen is repeated: it is answered, and causes no other check.
  const { next_check_at: due } = await watch()
  expect(await prove({ ...byAnna, signature })).toMatchObject({ body: { provenAt: time } })
  expect((await watch()).next_check_at).toEqual(due)

  // So is a later one, as of a practice run: a guardian who signs every second does not have all contracts asked as often.
  const practice = { ...byAnna, time: time + 1 }
  const practised = await anna.signTypedData(guardianProofTypedData(practice))
  expect(await prove({ ...practice, signature: practised })).toMatchObject({ body: { provenAt: time + 1 } })
  expect((await watch()).next_check_at).toEqual(due)

  // The friend gives the passkey up. The owner learns it by the next check, with an event on each network.
  await service.database.db.deleteFrom('credentials').where('signer', '=', signer.toLowerCase()).execute()
  service.advance(25 * 60 * 60_000)
  await vi.waitFor(
    async () => {
      const replaced = (await problems()).filter(({ problem }) => problem === 'REPLACED')
      expect(replaced).toHaveLength(chainIds.length)
    },
    { timeout: 60_000, interval: 300 },
  )
  const events = await service.database.db
    .selectFrom('events')
    .select(['type', 'network', 'data'])
    .where('account', '=', address.toLowerCase())
    .where('type', 'like', 'guardian.%able')
    .orderBy('position')
    .execute()
  // Anna proved it before the first check: she is never named.
  expect(events.map(({ type }) => type)).toEqual(Array(2 * chainIds.length).fill('guardian.unable'))
  // Networks answer in any order.
  const data = events.map((event) => event.data)
  expect(data).toContainEqual(expect.objectContaining({ guardian: signer, problem: 'REPLACED' }))
  const { body } = await service.rest.get(`/smart-account/guardians?account=${address}`)
  const named = body.guardians.find(({ guardian }: { guardian: string }) => guardian === signer)
  expect(named.networks).toMatchObject(chainIds.map(() => ({ problem: 'REPLACED' })))
})

test('behavior: an account that gave its guardians up is not checked any more', async () => {
  const { address, ...wallet } = await guardWith([newOwner().address], 1)
  const isWatched = async () => {
    const watched = service.database.db.selectFrom('guardian_watches').select('account')
    return (await watched.where('account', '=', address.toLowerCase()).execute()).length > 0
  }
  expect(await isWatched()).toBe(true)
  const guardians = { members: [], threshold: 0, delay: 0 }
  await service.change({ address, ...wallet }, wallet.owner, { kind: 'setGuardians', guardians })
  await service.waitForChange(address, '1')
  await vi.waitFor(
    async () => {
      // A check that began before the change found the guardians, and the next one is a day later.
      service.advance(2 * 60 * 60_000)
      expect(await isWatched()).toBe(false)
    },
    { timeout: 60_000, interval: 300 },
  )
})
