/** @module-tag all */
import {
  encodeApplyChange,
  encodeExecuteRecovery,
  encodeOwnerChange,
  encodeStartRecovery,
  type OwnerChange,
  type OwnershipContext,
  ownerChangeTypedData,
  recoveryTypedData,
  toGuardianSet,
} from '@lanyard/accounts'
import { devAccounts, ownershipAddress } from '@lanyard/devnet'
import { randomPrivateKey } from '@lanyard/testing'
import type { Address, Hex } from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { guardianRequests, newOwner } from './guarded-wallet.ts'
import { type OwnershipService, startOwnershipService } from './ownership-service.ts'

/* What was signed and sent without this service becomes part of its log, and holds on the other networks. */

const [first, second] = [31337, 31338]
const delay = 86_400

let service: OwnershipService
beforeAll(async () => {
  service = await startOwnershipService([first, second])
})
afterAll(() => service?.[Symbol.asyncDispose]())

const contextOf = (account: Address, sequence: bigint): OwnershipContext => ({
  ...{ module: ownershipAddress, account, sequence },
})

/** Sends what anyone may send, from an account that is not the service's. */
async function sendAsAnyone(chainId: number, { to, data }: { readonly to: Address; readonly data: Hex }) {
  const { chain } = service.on(chainId)
  const account = privateKeyToAccount(devAccounts[5]?.privateKey ?? randomPrivateKey())
  const hash = await chain.sendTransaction({ account, chain: null, to, data })
  expect(await chain.waitForTransactionReceipt({ hash })).toMatchObject({ status: 'success' })
}

async function applyOutside(
  chainId: number,
  owner: PrivateKeyAccount,
  change: OwnerChange,
  context: OwnershipContext,
) {
  const signature = await owner.signTypedData(ownerChangeTypedData(change, context))
  await sendAsAnyone(chainId, encodeApplyChange(change, signature, context))
}

/** The watcher looks every 15 seconds by the service's clock. */
const eventually = (check: () => Promise<void>) =>
  vi.waitFor(
    async () => {
      service.advance(20_000)
      await check()
    },
    { timeout: 180_000, interval: 500 },
  )

/** What an alert looks at, by network. */
async function readGauge(name: 'unannounced_recoveries' | 'owner_splits') {
  const text = await (await fetch(`${service.service.url}/metrics`)).text()
  return [first, second].map((network) => {
    const sample = `lanyard_${name}{network="${network}"} `
    const line = text.split('\n').find((one) => one.startsWith(sample))
    return Number(line?.slice(sample.length) ?? 0)
  })
}
const countRecoveries = () => readGauge('unannounced_recoveries')

const finalOnBoth = [first, second].map((network) => ({ network, state: 'final' }))

test('behavior: a change that was applied on one network without this service is applied on the others', async () => {
  const { owner, address } = await service.createOwnedWallet()
  const next = newOwner()
  const change: OwnerChange = {
    kind: 'replaceOwner',
    old: { kind: 'eoa', address: owner.address },
    added: { kind: 'eoa', address: next.address },
  }
  await applyOutside(first, owner, change, contextOf(address, 0n))
  await eventually(async () => {
    const { body } = await service.statusOf(address)
    expect(body).toMatchObject({
      split: false,
      changes: [{ sequence: '0', ...encodeOwnerChange(change), networks: finalOnBoth }],
    })
  })
  const { body: owners } = await service.rest.get(`/smart-account/owner?walletAddress=${address}`)
  expect(JSON.stringify(owners)).toContain(next.address)
  expect(JSON.stringify(owners.networks ?? owners)).not.toContain(`"${owner.address}"`)
})

test('behavior: networks that applied different changes of one sequence are reported once as split', async () => {
  const { owner, address } = await service.createOwnedWallet()
  for (const chainId of [first, second]) {
    const owned = { kind: 'eoa', address: newOwner().address } as const
    await applyOutside(chainId, owner, { kind: 'addOwner', owner: owned }, contextOf(address, 0n))
  }
  const countSplits = async () => (await readGauge('owner_splits')).reduce((sum, count) => sum + count, 0)
  await eventually(async () => {
    expect((await service.statusOf(address)).body).toMatchObject({
      split: true,
      changes: [{ sequence: '0' }],
    })
    const told = service.logged.filter(
      ({ msg, account }) => String(msg).startsWith('networks applied different') && account === address,
    )
    expect(told).toHaveLength(1)
    expect(await countSplits()).toBe(1)
  })
  // The same later change on both networks ends the alarm.
  const repaired: OwnerChange = { kind: 'addOwner', owner: { kind: 'eoa', address: newOwner().address } }
  for (const chainId of [first, second]) await applyOutside(chainId, owner, repaired, contextOf(address, 1n))
  await eventually(async () => expect(await countSplits()).toBe(0))
})

/** Guardians sign a recovery without this service, and start it on one network. */
async function startOutside(chainId: number) {
  const { createGuardedWallet, signBy, signRecovery } = guardianRequests(service)
  const { address, guardians, set } = await createGuardedWallet({ delay })
  const next = newOwner()
  // One of them signs here, too: too few for the service to start it, and the alert must not depend on it.
  const here = { account: address, module: ownershipAddress, sequence: '1', number: '1' }
  expect(await signRecovery(await signBy(guardians[0], here, next.address))).toMatchObject({ status: 200 })
  const newOwners = [{ kind: 'eoa', address: next.address }] as const
  const context = { ...contextOf(address, 1n), number: 1n }
  const signatures = await Promise.all(
    guardians.slice(0, 2).map(async (guardian) => ({
      guardian: guardian.address,
      signature: await guardian.signTypedData(recoveryTypedData(newOwners, context)),
    })),
  )
  await sendAsAnyone(chainId, encodeStartRecovery(newOwners, toGuardianSet(set), signatures, context))
  return { address, next, newOwners, context }
}

test('behavior: a recovery that the service did not see begin is counted once, on its network', async () => {
  const [onFirst = 0, onSecond = 0] = await countRecoveries()
  const { address } = await startOutside(first)
  await eventually(async () => expect(await countRecoveries()).toEqual([onFirst + 1, onSecond]))
  const told = service.logged.filter(
    ({ msg, account }) => String(msg).startsWith('guardians started a recovery') && account === address,
  )
  expect(told).toMatchObject([{ network: first }])

  // The service starts it on the other network, which is no alert, and reads the first one again.
  await eventually(async () => {
    const { body } = await guardianRequests(service).recoveryOf(address)
    expect(body.recoveries[0].networks).toMatchObject([{ state: 'running' }, { state: 'running' }])
  })
  await eventually(async () => {
    const known = service.logged.filter(
      ({ msg, account }) =>
        String(msg).startsWith('a recovery that guardians signed here') && account === address,
    )
    expect(known).toMatchObject([{ network: second }])
  })
  expect(await countRecoveries()).toEqual([onFirst + 1, onSecond])
})

test('behavior: a recovery that ran on one network while the service did not look is listed, and runs on the others', async () => {
  const before = await countRecoveries()
  const { address, next, newOwners, context } = await startOutside(first)
  await eventually(async () => expect(await countRecoveries()).not.toEqual(before))
  const { recoveryOf } = guardianRequests(service)
  for (const chainId of [first, second]) {
    const { chain } = service.on(chainId)
    await chain.increaseTime({ seconds: delay + 60 })
    await chain.mine({ blocks: 1 })
  }
  await sendAsAnyone(first, encodeExecuteRecovery(newOwners, context))
  await eventually(async () => {
    const { body } = await recoveryOf(address)
    expect(body.recoveries).toMatchObject([
      { newOwners: [{ address: next.address }], networks: [{ state: 'executed' }, { state: 'running' }] },
    ])
  })
  // It is no alarm any more once its execution is final.
  await service.on(first).chain.mine({ blocks: 3 })
  await eventually(async () => expect(await countRecoveries()).toEqual(before))
  const { chain } = service.on(second)
  await chain.increaseTime({ seconds: delay + 60 })
  await chain.mine({ blocks: 1 })
  service.advance(delay * 1_000)
  await eventually(async () => {
    const { body } = await recoveryOf(address)
    expect(body.recoveries[0].networks).toMatchObject([{ state: 'executed' }, { state: 'executed' }])
  })
})

test('behavior: what a network applied before this service read its logs is found, and holds on the others', async () => {
  const { owner, address } = await service.createOwnedWallet()
  const { chain } = service.on(first)
  const readFrom = (block: bigint) =>
    service.database.db
      .updateTable('recovery_watches')
      .set({ block_number: Number(block) })
      .where('network', '=', first)
      .execute()
  // The service does not look while guardians are set and recover the account.
  await readFrom((await chain.getBlockNumber()) + 100_000n)
  const [anna, next] = [newOwner(), newOwner()]
  const guardians = toGuardianSet({ members: [anna.address], threshold: 1, delay })
  await applyOutside(first, owner, { kind: 'setGuardians', guardians }, contextOf(address, 0n))
  const newOwners = [{ kind: 'eoa', address: next.address }] as const
  const context = { ...contextOf(address, 1n), number: 1n }
  const signature = await anna.signTypedData(recoveryTypedData(newOwners, context))
  const signatures = [{ guardian: anna.address, signature }]
  await sendAsAnyone(first, encodeStartRecovery(newOwners, guardians, signatures, context))
  await chain.increaseTime({ seconds: delay + 60 })
  await chain.mine({ blocks: 1 })
  await sendAsAnyone(first, encodeExecuteRecovery(newOwners, context))
  const later = { kind: 'eoa', address: newOwner().address } as const
  await applyOutside(first, next, { kind: 'addOwner', owner: later }, contextOf(address, 2n))
  await chain.mine({ blocks: 3 })
  // As a service that is set up anew begins: at the final block.
  await readFrom(await chain.getBlockNumber({ cacheTime: 0 }))

  await eventually(async () => {
    const { body } = await service.statusOf(address)
    expect(body.changes).toMatchObject([
      { sequence: '0', networks: finalOnBoth },
      { sequence: '2', networks: [{ state: 'final' }, { state: 'pending' }] },
    ])
    expect((await guardianRequests(service).recoveryOf(address)).body.recoveries).toMatchObject([
      { newOwners: [{ address: next.address }], networks: [{ state: 'executed' }, { state: 'running' }] },
    ])
  })
})
