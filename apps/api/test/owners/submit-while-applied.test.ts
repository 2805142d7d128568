/** @module-tag all */
import { ownershipAbi } from '@lanyard/onchain'
import { startRpcProxy } from '@lanyard/testing/fault-proxy'
import { encodeFunctionData, getAbiItem, toFunctionSelector } from 'viem'
import { expect, test } from 'vitest'
import { payee } from '../orders/order-service.ts'
import { startOwnershipService } from './ownership-service.ts'

const chainId = 31337
const applyChange = { abi: ownershipAbi, functionName: 'applyChange' } as const
const selector = toFunctionSelector(getAbiItem({ abi: ownershipAbi, name: 'applyChange' })).slice(2)

test('behavior: a change is accepted while the network applies the one before it', async () => {
  /** Runs before the next simulation of changes reaches the network. */
  let beforeSimulation: (() => Promise<void>) | undefined
  await using service = await startOwnershipService([chainId], {
    environment: { SPONSORED_OWNER_CHANGES: '0' },
    startProxy: ({ rpcUrl }) =>
      startRpcProxy(rpcUrl, 0, async (requests) => {
        const isSimulation = requests.some(
          ({ method, params }) => method === 'eth_call' && JSON.stringify(params).includes(selector),
        )
        if (!isSimulation) return
        const run = beforeSimulation
        beforeSimulation = undefined
        await run?.()
      }),
  })
  const wallet = await service.createOwnedWallet()
  const { body } = await service.change(wallet, wallet.owner, { kind: 'cancel' })
  const [{ kind, data, signature }] = body.changes
  const args = [wallet.address, 0n, kind, data, signature] as const
  beforeSimulation = () =>
    service.callAs(chainId, payee, body.module, encodeFunctionData({ ...applyChange, args }))

  const second = await service.change(wallet, wallet.owner, { kind: 'cancel' })
  expect(second).toMatchObject({ status: 200, body: { networks: [{ sequence: '1' }] } })
  expect(beforeSimulation).toBe(undefined)
})
