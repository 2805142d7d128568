/** @module-tag all */
import { ownershipAddress } from '@lanyard/devnet'
import { ownershipAbi } from '@lanyard/onchain'
import { encodeFunctionData, zeroHash } from 'viem'
import { expect, test, vi } from 'vitest'
import { startOwnershipService } from './ownership-service.ts'

const first = 31337

test('attack: an account that raises its own sequence is not searched again and again', async () => {
  await using service = await startOwnershipService([first])
  const { address } = await service.createWallet()
  const { chain } = service.on(first)
  const rows = () =>
    service.database.db
      .selectFrom('owner_histories')
      .select(['attempts', 'next_attempt_at'])
      .where('account', '=', address.toLowerCase())
      .execute()
  const data = encodeFunctionData({ abi: ownershipAbi, functionName: 'resync', args: [1_024n, zeroHash] })
  // The node has no state from before its start.
  await chain.mine({ blocks: 200 })
  await service.callAs(first, address, ownershipAddress, data)
  await chain.mine({ blocks: 3 })
  await service.statusOf(address)
  // Each search reads the chain a hundred times, and there is nothing to find.
  await vi.waitFor(async () => expect(await rows()).toMatchObject([{ attempts: 1 }]), {
    timeout: 60_000,
    interval: 300,
  })
  await vi.waitFor(
    async () => {
      const [row] = await rows()
      const left = Number(row?.next_attempt_at) - Date.now()
      expect(left).toBeGreaterThan(30 * 60_000)
    },
    { timeout: 60_000, interval: 300 },
  )
})
