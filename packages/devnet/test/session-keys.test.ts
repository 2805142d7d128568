import { sessionKeysAbi } from '@lanyard/onchain'
import { zeroAddress } from 'viem'
import { expect, test } from 'vitest'
import { sessionKeysAddress, startDevnet } from '../src/index.ts'
import { clientsOf } from './clients.ts'

test('default: SessionKeys has the same address on all networks', async () => {
  await using devnet = await startDevnet()
  for (const network of devnet.networks) {
    expect(network.sessionKeys).toBe(sessionKeysAddress)
    const keys = await clientsOf(network).publicClient.readContract({
      address: network.sessionKeys,
      abi: sessionKeysAbi,
      functionName: 'keysOf',
      args: [zeroAddress],
    })
    expect(keys).toEqual([])
  }
})
