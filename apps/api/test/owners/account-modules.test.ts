/** @module-tag all */

import {
  computeAccountAddress,
  defaultDeployment,
  encodeDisableModule,
  encodeEnableModule,
  encodeRemoveGuard,
  storedPartReads,
} from '@lanyard/accounts'
import { ownershipAddress } from '@lanyard/devnet'
import { safeAbi } from '@lanyard/onchain'
import { numberToHex, pad, parseEther } from 'viem'
import { expect, test, vi } from 'vitest'
import { sign } from '../orders/order-service.ts'
import { consenting, guardianRequests, newOwner } from './guarded-wallet.ts'
import { startOwnershipService } from './ownership-service.ts'

const chainIds = [31337, 31338]
const guardSlot = numberToHex(storedPartReads(ownershipAddress).guard.args[0], { size: 32 })

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
  const { body: prepared } = await requests.prepareRecovery(address, [await consenting(next, address)])
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

  // What a thief left outlives the recovery. The new owner sees it, and takes it away.
  const [network = 0, other = 0] = chainIds
  const { chain } = service.on(network)
  const [foreign, handler] = [newOwner().address, defaultDeployment.module]
  await chain.impersonateAccount({ address })
  await chain.setBalance({ address, value: parseEther('1') })
  const { data } = encodeEnableModule({ account: address, module: foreign })
  await chain.sendTransaction({ account: address, chain: null, to: address, data })
  const guard = newOwner().address
  await chain.setStorageAt({ address, index: guardSlot, value: pad(guard) })
  const partsOf = async () =>
    (await service.rest.get(`/smart-account/owner?walletAddress=${address}&parts=true`)).body.networks
  const usual = { modules: [ownershipAddress, handler], fallbackHandler: handler }
  const modules = [foreign, ...usual.modules]
  const found = { ...usual, modules, guard }
  expect(await partsOf()).toMatchObject([
    { network, parts: found },
    { network: other, parts: usual },
  ])
  const calls = [
    encodeDisableModule({ account: address, module: foreign, modules }),
    encodeRemoveGuard({ account: address }),
  ].flatMap((call) => call ?? [])
  const built = await service.build({
    ...{ network: String(network), walletAddress: address },
    transactionDetails: calls.map((call) => ({
      targetContractAddress: call.to,
      encodedData: call.data,
      value: '0',
    })),
  })
  expect(built).toMatchObject({ status: 200 })
  const signature = await sign.raw(next, built.body.messageToSign)
  const done = await service.rest.post('/smart-account/transaction/submit', {
    walletAddress: address,
    signature,
  })
  expect(done).toMatchObject({ status: 200, body: { success: true } })
  const [{ parts }] = await partsOf()
  expect(parts).toEqual(usual)

  // The modules are part of the address.
  await service.service.close()
  await expect(service.start({ ACCOUNT_MODULES: '' })).rejects.toThrow(/ACCOUNT_MODULES: accounts exist/)
})
