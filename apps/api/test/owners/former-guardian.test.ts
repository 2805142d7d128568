/** @module-tag all */
import { type RpcProxy, startRpcProxy } from '@lanyard/testing/fault-proxy'
import { expect, test, vi } from 'vitest'
import { consenting, guardianRequests, newOwner } from './guarded-wallet.ts'
import { startOwnershipService } from './ownership-service.ts'

const [first, second] = [31337, 31338] as const
const delay = 86_400

test('attack: a former guardian, where the change has not arrived, does not stop those who count', async () => {
  const proxies = new Map<number, RpcProxy>()
  await using service = await startOwnershipService([first, second], {
    async startProxy({ chainId, rpcUrl }) {
      const proxy = await startRpcProxy(rpcUrl)
      proxies.set(chainId, proxy)
      return proxy
    },
  })
  const requests = guardianRequests(service)
  const { address, owner } = await service.createOwnedWallet()
  const [former, anna] = [newOwner(), newOwner()]
  const guardBy = (guardian: typeof anna) =>
    service.change({ address }, owner, {
      kind: 'setGuardians',
      guardians: { members: [guardian.address], threshold: 1, delay },
    })
  await guardBy(former)
  await service.waitForChange(address, '0')

  // The second network can be read, and takes no transaction.
  proxies.get(second)?.set({
    methods: ['eth_sendRawTransaction'],
    fault: { kind: 'http', status: 503, body: '{}' },
  })
  await guardBy(anna)
  await vi.waitFor(
    async () => {
      const { body } = await service.statusOf(address)
      expect(body.changes[1].networks).toMatchObject([{ state: 'final' }, { state: 'pending' }])
    },
    { timeout: 180_000, interval: 500 },
  )
  const [owned, taken] = [await consenting(newOwner(), address), await consenting(newOwner(), address)]
  const next = owned.address
  const { body: prepared } = await requests.prepareRecovery(address, [owned])
  expect(prepared).toMatchObject({ sequence: '2', number: '1' })
  expect(await requests.signRecovery(await requests.signBy(anna, prepared, next))).toMatchObject({
    status: 200,
  })

  // It would take the place of Anna's.
  const hostile = taken.address
  const { body: other } = await requests.prepareRecovery(address, [taken])
  expect(other).toMatchObject({ sequence: '2', number: '2' })
  expect(await requests.signRecovery(await requests.signBy(former, other, hostile))).toMatchObject({
    ...{ status: 400, body: { code: 'NOT_A_GUARDIAN' } },
  })
  const { body } = await requests.recoveryOf(address)
  expect(body.recoveries).toMatchObject([{ number: '1', newOwners: [{ address: next }] }])
  expect(body.recoveries[0].networks[0].state).not.toBe('cancelled')
})
