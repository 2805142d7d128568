/** @module-tag all */

import { getOwnerChangeHash } from '@lanyard/accounts'
import { ownershipAddress } from '@lanyard/devnet'
import { ownershipAbi, safeAbi } from '@lanyard/onchain'
import { type RpcProxy, startRpcProxy } from '@lanyard/testing/fault-proxy'
import type { Address } from 'viem'
import { expect, test, vi } from 'vitest'
import { consenting, guardianRequests, newOwner } from './guarded-wallet.ts'
import { startOwnershipService } from './ownership-service.ts'

const [first, second] = [31337, 31338] as const
const delay = 86_400
const down = { fault: { kind: 'http', status: 503, body: '{}' } } as const

test('behavior: an owner cancels a recovery on a network where the account is not deployed yet', async () => {
  const proxies = new Map<number, RpcProxy>()
  await using service = await startOwnershipService([first, second], {
    environment: { ACCOUNT_MODULES: 'ownership' },
    async startProxy({ chainId, rpcUrl }) {
      const proxy = await startRpcProxy(rpcUrl)
      proxies.set(chainId, proxy)
      return proxy
    },
  })
  const requests = guardianRequests(service)
  const anna = newOwner()
  const guardians = { members: [anna.address], threshold: 1, delay }
  const hashesOf = (account: Address) =>
    ([{ kind: 'setGuardians', guardians }, { kind: 'cancel' }] as const).map((change, index) =>
      getOwnerChangeHash(change, { module: ownershipAddress, account, sequence: BigInt(index) }),
    )
  let wallet = await service.createWallet()
  for (let [set = '', cancel = ''] = hashesOf(wallet.address); set < cancel; ) {
    wallet = await service.createWallet()
    ;[set = '', cancel = ''] = hashesOf(wallet.address)
  }
  const { address, owner } = wallet
  const hashes = hashesOf(address)
  const { chain } = service.on(second)

  // The second network is down from the first change on, so all of it happens on the first network only.
  proxies.get(second)?.set(down)
  expect(await service.change(wallet, owner, { kind: 'setGuardians', guardians })).toMatchObject({
    status: 200,
  })
  await vi.waitFor(
    async () => {
      const { body } = await service.statusOf(address)
      expect(body.changes[0].networks[0]).toMatchObject({ network: first, state: 'final' })
    },
    { timeout: 180_000, interval: 500 },
  )
  const next = newOwner()
  const { body: prepared } = await requests.prepareRecovery(address, [await consenting(next, address)])
  expect(await requests.signRecovery(await requests.signBy(anna, prepared, next.address))).toMatchObject({
    status: 200,
  })
  const waitForState = (states: readonly object[]) =>
    vi.waitFor(
      async () => {
        const { body } = await requests.recoveryOf(address)
        expect(body.recoveries[0].networks).toMatchObject(states)
      },
      { timeout: 180_000, interval: 500 },
    )
  await waitForState([{ state: 'running' }, { state: 'unknown' }])
  expect(await service.change(wallet, owner, { kind: 'cancel' })).toMatchObject({ status: 200 })
  await waitForState([{ state: 'cancelled', final: true }, { state: 'unknown' }])
  expect(await chain.getCode({ address })).toBe(undefined)
  // However long a network is away, it is looked at again soon.
  const waiting = await service.database.db
    .selectFrom('message_progress')
    .select('attempts')
    .where('network', '=', second)
    .where('account', '=', address.toLowerCase())
    .execute()
  expect(waiting.map(({ attempts }) => attempts <= 1)).toEqual([true, true, true])

  // Rows have no order of their own: here the last change comes first, in the table and by its hash.
  await service.database.db.transaction().execute(async (transaction) => {
    const rows = await transaction
      .deleteFrom('message_progress')
      .where('network', '=', second)
      .returningAll()
      .execute()
    const reversed = rows
      .map((row) => ({ ...row, next_attempt_at: new Date(Date.now() + 1_800_000) }))
      .toSorted((a, b) => Number(b.hash === hashes[1]) - Number(a.hash === hashes[1]))
    await transaction.insertInto('message_progress').values(reversed).execute()
  })

  // Back again: the account is deployed with the whole log, and the recovery never begins there.
  proxies.get(second)?.set()
  service.advance(3_600_000)
  const cancelled = { state: 'cancelled', final: true }
  await waitForState([cancelled, cancelled])
  await service.waitForChange(address, '1')
  const { body: status } = await service.statusOf(address)
  expect(status.split).toBe(false)
  expect(await chain.readContract({ address, abi: safeAbi, functionName: 'getOwners' })).toEqual([
    owner.address,
  ])
  const started = await chain.getContractEvents({
    ...{ address: ownershipAddress, abi: ownershipAbi, eventName: 'RecoveryStarted', fromBlock: 0n },
  })
  expect(started.filter(({ args }) => args.account === address)).toEqual([])

  // What the guardians signed has lost its place in the log: its delay leads nowhere, on either network.
  for (const network of [first, second]) {
    await service.on(network).chain.increaseTime({ seconds: delay + 60 })
    await service.on(network).chain.mine({ blocks: 1 })
  }
  service.advance((delay + 60) * 1_000)
  await requests.executeRecovery(address, prepared.messageToSign)
  await waitForState([cancelled, cancelled])
  for (const network of [first, second]) {
    const owners = await service
      .on(network)
      .chain.readContract({ address, abi: safeAbi, functionName: 'getOwners' })
    expect(owners).toEqual([owner.address])
  }
})
