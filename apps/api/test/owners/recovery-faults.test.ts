/** @module-tag all */
// @promise 24 C.2

import { getRecoveryHash, ownerChangeTypedData, recoveryTypedData } from '@lanyard/accounts'
import { safeAbi } from '@lanyard/onchain'
import { type RpcProxy, startRpcProxy } from '@lanyard/testing/fault-proxy'
import type { Address } from 'viem'
import { expect, test, vi } from 'vitest'
import { type RestClient, restClient } from '../rest.ts'
import { consenting, guardianRequests, newOwner } from './guarded-wallet.ts'
import { type OwnershipService, startOwnershipService } from './ownership-service.ts'

const [first, second] = [31337, 31338] as const
const delay = 86_400
const down = { fault: { kind: 'http', status: 503, body: '{}' } } as const

/** Waits until the newest recovery has a state on each network. */
const waitForState = (rest: RestClient, account: Address, states: readonly object[]) =>
  vi.waitFor(
    async () => {
      const { body } = await rest.get(`/smart-account/recovery?account=${account}`)
      expect(body.recoveries[0].networks).toMatchObject(states)
      return body
    },
    { timeout: 180_000, interval: 500 },
  )

/** Prepares a recovery for a new owner. */
async function prepareFor(requests: ReturnType<typeof guardianRequests>, account: Address) {
  const next = newOwner()
  const { body: prepared } = await requests.prepareRecovery(account, [await consenting(next, account)])
  return { next, prepared }
}

/** Two guardians sign for a new owner. */
async function startRecovery(
  requests: ReturnType<typeof guardianRequests>,
  { address, guardians }: Awaited<ReturnType<typeof requests.createGuardedWallet>>,
) {
  const { next, prepared } = await prepareFor(requests, address)
  for (const guardian of guardians.slice(0, 2)) {
    const answer = await requests.signRecovery(await requests.signBy(guardian, prepared, next.address))
    expect(answer).toMatchObject({ status: 200 })
  }
  return { next, prepared }
}

async function passOn(service: OwnershipService, network: number) {
  await service.on(network).chain.increaseTime({ seconds: delay + 60 })
  await service.on(network).chain.mine({ blocks: 1 })
}

test('behavior: a recovery survives a network that is down, and a restart', async () => {
  const proxies = new Map<number, RpcProxy>()
  await using service = await startOwnershipService([first, second], {
    async startProxy({ chainId, rpcUrl }) {
      const proxy = await startRpcProxy(rpcUrl)
      proxies.set(chainId, proxy)
      return proxy
    },
  })
  const requests = guardianRequests(service)
  const wallet = await requests.createGuardedWallet({ delay })
  const { address, owner } = wallet
  proxies.get(second)?.set(down)
  const { next, prepared } = await startRecovery(requests, wallet)
  await waitForState(service.rest, address, [{ state: 'running' }, { state: 'unknown' }])

  await service.service.close()
  proxies.get(second)?.set()
  await using again = await service.start()
  const rest = restClient(again.url)
  await waitForState(rest, address, [{ state: 'running' }, { state: 'running' }])

  // Executed on one network, it cannot be cancelled on the other: the networks would be split.
  await passOn(service, first)
  service.advance((delay + 60) * 1_000)
  const executed = { state: 'executed', final: true }
  await waitForState(rest, address, [executed, { state: 'running' }])
  const cancel = { kind: 'cancel' } as const
  const { module } = prepared
  const typedData = ownerChangeTypedData(cancel, { module, account: address, sequence: 1n })
  const { kind, data } = typedData.message
  const signature = await owner.signTypedData(typedData)
  const late = { walletAddress: address, sequence: '1', kind, data, signature }
  expect(await rest.post('/smart-account/ownership/submit', late)).toMatchObject({
    ...{ status: 409, body: { code: 'OTHER_CHANGE_SIGNED' } },
  })

  await passOn(service, second)
  expect(
    await rest.post('/smart-account/recovery/execute', {
      ...{ account: address, messageToSign: prepared.messageToSign },
    }),
  ).toMatchObject({ status: 200 })
  await waitForState(rest, address, [executed, executed])
  for (const network of [first, second]) {
    const { chain } = service.on(network)
    expect(await chain.readContract({ address, abi: safeAbi, functionName: 'getOwners' })).toEqual([
      next.address,
    ])
  }
})

test('behavior: a start that a reorg removes is repeated', async () => {
  await using service = await startOwnershipService([first], {
    blockTime: 3_600,
    settings: { finality: { confirmations: 12 } },
  })
  const { chain } = service.on(first)
  const requests = guardianRequests({
    ...service,
    async waitForChange(account) {
      await vi.waitFor(
        async () => {
          await chain.mine({ blocks: 12 })
          const { body } = await service.statusOf(account)
          expect(body.changes[0].networks).toMatchObject([{ state: 'final' }])
        },
        { timeout: 180_000, interval: 500 },
      )
    },
  })
  const wallet = await requests.createGuardedWallet({ delay })
  await startRecovery(requests, wallet)
  await waitForState(service.rest, wallet.address, [{ state: 'running' }])
  const started = await readRunning(service, wallet.address)
  await chain.request({ method: 'anvil_reorg', params: [2, []] } as never) // viem has no type for this method
  expect(await readRunning(service, wallet.address)).not.toEqual(started)
  // The pass may have seen nothing but that it sent it: then it waits for that transaction first.
  service.advance(301_000)
  await waitForState(service.rest, wallet.address, [{ state: 'running' }])
})

/** The running recovery, and when it is ready. */
async function readRunning({ rest }: OwnershipService, account: Address) {
  const { body } = await rest.get(`/smart-account/recovery?account=${account}`)
  return body.networks[0].running
}

test("behavior: a friend's account signs for each network", async () => {
  await using service = await startOwnershipService([first, second])
  const requests = guardianRequests(service)
  const friend = await service.createOwnedWallet()
  const wallet = await service.createOwnedWallet()
  const { address } = wallet
  const set = { members: [friend.address], threshold: 1, delay }
  await service.change(wallet, wallet.owner, { kind: 'setGuardians', guardians: set })
  await service.waitForChange(address, '0')
  const { next, prepared } = await prepareFor(requests, address)
  const { module, typedData, messageToSign } = prepared
  const owners = [{ kind: 'eoa', address: next.address }] as const
  expect(getRecoveryHash(owners, { module, account: address, sequence: 1n, number: 1n })).toBe(messageToSign)

  async function signOn(network: number) {
    const message = { walletAddress: friend.address, network, typedData }
    const { body } = await service.rest.post('/smart-account/message/prepare', message)
    expect(body.messageHash).toBe(messageToSign)
    const signature = await friend.owner.sign({ hash: body.messageToSign })
    const finished = await service.rest.post('/smart-account/message/finish', { ...message, signature })
    return requests.signRecovery({
      ...{ account: address, sequence: '1', number: '1', newOwners: [{ address: next.address }] },
      ...{ guardian: friend.address, signature: finished.body.signature },
    })
  }
  expect(await signOn(first)).toMatchObject({
    body: {
      recoveries: [{ networks: [{ signed: [friend.address] }, { state: 'collecting', signed: [] }] }],
    },
  })
  await waitForState(service.rest, address, [{ state: 'running' }, { state: 'collecting' }])
  await signOn(second)
  await waitForState(service.rest, address, [{ state: 'running' }, { state: 'running' }])
  // The friend's own signature is not the account's.
  const typed = recoveryTypedData(owners, { module, account: address, sequence: 1n, number: 1n })
  expect(
    await requests.signRecovery({
      ...{ account: address, sequence: '1', number: '1', newOwners: [{ address: next.address }] },
      ...{ guardian: friend.address, signature: await friend.owner.signTypedData(typed) },
    }),
  ).toMatchObject({ body: { code: 'INVALID_SIGNATURE' } })
})

test('behavior: the accounts of one caller have one budget a day', async () => {
  await using service = await startOwnershipService([first], {
    environment: { SPONSORED_OWNER_CHANGES: '1' },
  })
  const requests = guardianRequests(service)
  const nextDay = () => service.advance(86_400_000)
  const one = await requests.createGuardedWallet({ delay })
  nextDay()
  const two = await requests.createGuardedWallet({ delay })
  await startRecovery(requests, one)
  await waitForState(service.rest, one.address, [{ state: 'running' }])
  await startRecovery(requests, two)
  await waitForState(service.rest, two.address, [{ state: 'pending', reason: 'BUDGET_SPENT' }])
  nextDay()
  await waitForState(service.rest, two.address, [{ state: 'running' }])
})

test('attack: a spent budget keeps no owner from stopping a recovery', async () => {
  await using service = await startOwnershipService([first], {
    environment: { SPONSORED_OWNER_CHANGES: '1' },
  })
  const requests = guardianRequests(service)
  const victim = await requests.createGuardedWallet({ delay })
  service.advance(86_400_000)
  // Another visitor uses what all visitors share in a day.
  const other = await service.createOwnedWallet()
  await service.change(other, other.owner, { kind: 'revokeSessions' })
  await service.waitForChange(other.address, '0')
  await startRecovery(requests, victim)
  await waitForState(service.rest, victim.address, [{ state: 'running' }])
  // A change of another kind ends it too, and is worth more than a cancellation to an account that starts recoveries itself.
  await service.change(victim, victim.owner, { kind: 'revokeSessions' })
  await vi.waitFor(
    async () => {
      const { body } = await service.statusOf(victim.address)
      const [{ networks }] = body.changes.filter(({ sequence }: { sequence: string }) => sequence === '1')
      expect(networks).toMatchObject([{ state: 'pending', reason: 'BUDGET_SPENT' }])
    },
    { timeout: 180_000, interval: 500 },
  )
  await service.change(victim, victim.owner, { kind: 'cancel' })
  await waitForState(service.rest, victim.address, [{ state: 'cancelled' }])
})
