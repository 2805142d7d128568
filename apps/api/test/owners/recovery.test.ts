/** @module-tag all */
import { safeAbi } from '@lanyard/onchain'
import type { Address } from 'viem'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { consenting, guardianRequests, newOwner } from './guarded-wallet.ts'
import { type OwnershipService, startOwnershipService } from './ownership-service.ts'

const chainIds = [31337, 31338]
const delay = 86_400
let service: OwnershipService
let requests: ReturnType<typeof guardianRequests>
beforeAll(async () => {
  service = await startOwnershipService(chainIds)
  requests = guardianRequests(service)
})
afterAll(() => service?.[Symbol.asyncDispose]())
// A relayer's own call is settled although no operation follows it: if it were stuck, nothing else would replace it.
afterEach(() =>
  vi.waitFor(
    async () => {
      const live = service.database.db.selectFrom('relayer_transactions').where('state', '=', 'live')
      expect(await live.select(['network', 'intent']).execute()).toEqual([])
    },
    { timeout: 60_000, interval: 500 },
  ),
)

const ownersOn = (network: number, address: Address) =>
  service.on(network).chain.readContract({ address, abi: safeAbi, functionName: 'getOwners' })

/** Waits until the newest recovery has a state on each network. */
const waitForState = (account: Address, states: readonly object[]) =>
  vi.waitFor(
    async () => {
      const { body } = await requests.recoveryOf(account)
      expect(body.recoveries[0].networks).toMatchObject(states)
      return body
    },
    { timeout: 180_000, interval: 500 },
  )

/** Two of three guardians sign for a new owner. */
async function startRecovery() {
  const wallet = await requests.createGuardedWallet({ delay })
  const next = newOwner()
  const { body: prepared } = await requests.prepareRecovery(wallet.address, [
    await consenting(next, wallet.address),
  ])
  const [anna, , cleo] = wallet.guardians
  for (const guardian of [cleo, anna]) {
    const answer = await requests.signRecovery(await requests.signBy(guardian, prepared, next.address))
    expect(answer).toMatchObject({ status: 200 })
  }
  return { ...wallet, next, prepared }
}

/** What activity says of owners and guardians, oldest first. */
async function protectionOf(address: Address) {
  const { status, body } = await service.rest.get(`/wallet/activity?walletAddress=${address}`)
  expect(status).toBe(200)
  return body.protection.toReversed()
}

async function pass(seconds: number) {
  for (const network of chainIds) {
    await service.on(network).chain.increaseTime({ seconds })
    await service.on(network).chain.mine({ blocks: 1 })
  }
  service.advance(seconds * 1_000)
}

test('default: guardians recover the account on both networks, after the delay', async () => {
  const { address, owner, guardians, next, prepared } = await startRecovery()
  const { messageToSign } = prepared
  const body = await waitForState(address, [{ state: 'running' }, { state: 'running' }])
  const [{ readyAt, startedAt }] = body.recoveries[0].networks
  expect(readyAt - startedAt).toBe(delay)
  expect(body.networks).toMatchObject(chainIds.map(() => ({ running: { messageToSign, isKnown: true } })))

  // Nobody can hurry.
  expect(await requests.executeRecovery(address, messageToSign)).toMatchObject({ status: 200 })
  for (const network of chainIds) expect(await ownersOn(network, address)).toEqual([owner.address])

  await pass(delay + 60)
  const executed = { state: 'executed', final: true }
  await waitForState(address, [executed, executed])
  for (const network of chainIds) expect(await ownersOn(network, address)).toEqual([next.address])

  // The new owner's changes follow; the old owner's do not.
  const cancel = { kind: 'cancel' }
  expect(await service.change({ address }, owner, cancel)).toMatchObject({
    body: { code: 'INVALID_SIGNATURE' },
  })
  expect(await service.change({ address }, next, cancel)).toMatchObject({ status: 200 })
  await service.waitForChange(address, '2')
  expect((await service.statusOf(address)).body.split).toBe(false)

  for (const network of chainIds) {
    const logged = service.logged.filter(
      (entry) => entry.message === messageToSign && entry.network === network,
    )
    expect(logged.map(({ state }) => state)).toEqual(expect.arrayContaining(['running', 'executed']))
  }

  const everywhere = { networks: chainIds, waiting: [] }
  const acts = await protectionOf(address)
  expect(acts).toMatchObject([
    { act: 'change', change: { kind: expect.any(String) }, ...everywhere },
    { act: 'recovery-signed', guardian: guardians[2].address, messageToSign },
    // Enough guardians signed.
    ...[
      { act: 'recovery-signed', guardian: guardians[0].address },
      { act: 'recovery-started', ...everywhere },
    ],
    { act: 'recovery-executed', messageToSign, ...everywhere },
    { act: 'change', ...everywhere },
  ])
  const { at } = acts[5]
  const { body: older } = await service.rest.get(
    `/wallet/activity?walletAddress=${address}&before=${encodeURIComponent(at)}`,
  )
  expect(older.protection).toBe(undefined)
})

test('behavior: an owner cancels a recovery on both networks', async () => {
  const { address, owner } = await startRecovery()
  await waitForState(address, [{ state: 'running' }, { state: 'running' }])
  expect(await service.change({ address }, owner, { kind: 'cancel' })).toMatchObject({ status: 200 })
  const cancelled = { state: 'cancelled', final: true }
  const body = await waitForState(address, [cancelled, cancelled])
  expect(body.networks[0].running).toBe(undefined)
  // The recovery and the change that ended it are followed by two passes.
  await service.waitForChange(address, '1')
  const acts = await protectionOf(address)
  expect(acts.at(-1)).toMatchObject({ act: 'change', endsRecovery: true, networks: chainIds, waiting: [] })
  expect(acts.at(-2)).toMatchObject({ act: 'recovery-started', networks: [], waiting: [] })
  await pass(delay + 60)
  for (const network of chainIds) expect(await ownersOn(network, address)).toEqual([owner.address])
})

test('behavior: guardians who were deceived replace on both networks what they started', async () => {
  const { address, guardians, prepared } = await startRecovery()
  await waitForState(address, [{ state: 'running' }, { state: 'running' }])
  const right = newOwner()
  const { body: corrected } = await requests.prepareRecovery(address, [await consenting(right, address)])
  expect(corrected).toMatchObject({ sequence: prepared.sequence, number: '2' })
  for (const guardian of guardians.slice(0, 2)) {
    const answer = await requests.signRecovery(await requests.signBy(guardian, corrected, right.address))
    expect(answer).toMatchObject({ status: 200 })
  }
  await waitForState(address, [{ state: 'running' }, { state: 'running' }])
  const { body } = await requests.recoveryOf(address)
  expect(body.recoveries[1]).toMatchObject({
    number: '1',
    networks: [{ state: 'cancelled' }, { state: 'cancelled' }],
  })
  await pass(delay + 60)
  await waitForState(address, [{ state: 'executed' }, { state: 'executed' }])
  for (const network of chainIds) expect(await ownersOn(network, address)).toEqual([right.address])
  expect((await service.statusOf(address)).body.split).toBe(false)
})

test('behavior: guardians take a recovery back on both networks, and it never starts again', async () => {
  const { address, owner, guardians, next, prepared } = await startRecovery()
  await waitForState(address, [{ state: 'running' }, { state: 'running' }])
  const [anna, ben, cleo] = guardians
  const context = { account: address, module: prepared.module, sequence: 1n, number: 2n }
  expect(await requests.cancelBy(newOwner(), context)).toMatchObject({ body: { code: 'NOT_A_GUARDIAN' } })
  const skipped = { ...context, number: 3n }
  expect(await requests.cancelBy(ben, skipped)).toMatchObject({ body: { code: 'STALE_RECOVERY' } })
  expect(await requests.cancelBy(ben, context)).toMatchObject({
    status: 200,
    body: { cancellations: [{ number: '2', signed: [ben.address] }] },
  })
  expect(await requests.cancelBy(cleo, context)).toMatchObject({ status: 200 })
  const cancelled = { state: 'cancelled', final: true }
  const body = await waitForState(address, [cancelled, cancelled])
  expect(body.networks).toMatchObject([{ number: '2' }, { number: '2' }])
  // Another pass notes it.
  await expect
    .poll(async () => (await requests.recoveryOf(address)).body.cancellations[0].networks, {
      timeout: 60_000,
    })
    .toMatchObject([{ isDone: true }, { isDone: true }])
  const acts = (await protectionOf(address)).slice(-3)
  expect(acts).toMatchObject([
    { act: 'cancellation-signed', guardian: ben.address },
    { act: 'cancellation-signed', guardian: cleo.address },
    { act: 'recovery-cancelled', networks: chainIds, waiting: [] },
  ])
  // Sequence and owners stay, and the next recovery begins at once.
  for (const network of chainIds) expect(await ownersOn(network, address)).toEqual([owner.address])
  expect(await requests.signRecovery(await requests.signBy(anna, prepared, next.address))).toMatchObject({
    body: { code: 'OTHER_RECOVERY_SIGNED' },
  })
  const { body: later } = await requests.prepareRecovery(address, [await consenting(next, address)])
  expect(later).toMatchObject({ sequence: '1', number: '3' })
})

test('behavior: the execution does not wait for the start, if nobody saw it in a block', async () => {
  const { address, next, prepared } = await startRecovery()
  const { messageToSign } = prepared
  for (const network of chainIds) {
    // Before the pass looks again, the delay is over on the chain.
    await vi.waitFor(
      async () => {
        const { body } = await requests.recoveryOf(address)
        const one = body.networks.find((on: { network: number }) => on.network === network)
        expect(one.running).toMatchObject({ messageToSign })
      },
      { timeout: 180_000, interval: 20 },
    )
    await service.on(network).chain.increaseTime({ seconds: delay + 60 })
    await service.on(network).chain.mine({ blocks: 1 })
  }
  expect(await requests.executeRecovery(address, messageToSign)).toMatchObject({ status: 200 })
  await waitForState(address, [{ state: 'executed' }, { state: 'executed' }])
  for (const network of chainIds) expect(await ownersOn(network, address)).toEqual([next.address])
})
