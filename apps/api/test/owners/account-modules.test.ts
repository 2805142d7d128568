/** @module-tag all */

import { computeAccountAddress, defaultDeployment } from '@lanyard/accounts'
import { ownershipAddress } from '@lanyard/devnet'
import { safeAbi } from '@lanyard/onchain'
import { expect, test, vi } from 'vitest'
import { guardianRequests, newOwner } from './guarded-wallet.ts'
import { startOwnershipService } from './ownership-service.ts'

const chainIds = [31337, 31338]

test('behavior: ACCOUNT_MODULES=ownership: guardians and a recovery before the first operation', async () => {
  await using service = await startOwnershipService(chainIds, {
    environment: { ACCOUNT_MODULES: 'ownership' },
  })
  const requests = guardianRequests(service)
  const wallet = await service.createWallet()
  const { address, owner } = wallet
  const deployment = { ...defaultDeployment, ownership: ownershipAddress }
  expect(address).toBe(computeAccountAddress({ kind: 'eoa', address: owner.address }, deployment))
  for (const network of chainIds) {
    expect(await service.on(network).chain.getCode({ address })).toBe(undefined)
  }

  // The service deploys the account for the change that names the guardians.
  const anna = newOwner()
  const guardians = { members: [anna.address], threshold: 1, delay: 86_400 }
  const answer = await service.change(wallet, owner, { kind: 'setGuardians', guardians })
  expect(answer).toMatchObject({ status: 200 })
  await service.waitForChange(address, '0')
  const next = newOwner()
  const { body: prepared } = await requests.prepareRecovery(address, [{ address: next.address }])
  await requests.signRecovery(await requests.signBy(anna, prepared, next.address))
  const waitForState = (state: string) =>
    vi.waitFor(
      async () => {
        const { body } = await requests.recoveryOf(address)
        expect(body.recoveries[0].networks).toMatchObject(chainIds.map(() => ({ state })))
      },
      { timeout: 180_000, interval: 500 },
    )
  await waitForState('running')
  for (const network of chainIds) {
    await service.on(network).chain.increaseTime({ seconds: 86_460 })
    await service.on(network).chain.mine({ blocks: 1 })
  }
  service.advance(86_460_000)
  await waitForState('executed')
  for (const network of chainIds) {
    const { chain } = service.on(network)
    const owners = await chain.readContract({ address, abi: safeAbi, functionName: 'getOwners' })
    expect(owners).toEqual([next.address])
  }

  // The modules are part of the address.
  await service.service.close()
  await expect(service.start({ ACCOUNT_MODULES: '' })).rejects.toThrow(/ACCOUNT_MODULES: accounts exist/)
})
