import { attestorSetAbi, devTokenAbi, entryPointAbi, smartBalanceAbi } from '@lanyard/onchain'
import { parseEther, toHex } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  canonicalAddresses,
  type Devnet,
  devAccounts,
  devRoles,
  hardforks,
  settlementTokenAddress,
  smartBalanceAddress,
  startDevnet,
  startNode,
} from '../src/index.ts'
import { clientsOf } from './clients.ts'

const contract = { address: smartBalanceAddress, abi: smartBalanceAbi } as const

let devnet: Devnet
beforeAll(async () => {
  devnet = await startDevnet()
})
afterAll(() => devnet.stop())

const clients = () => devnet.networks.map((network) => clientsOf(network).publicClient)

test("default: has the same address on all networks, and the same code except for the token's scale", async () => {
  for (const { smartBalance } of devnet.networks) expect(smartBalance).toBe(smartBalanceAddress)
  const [first, second, third] = await Promise.all(clients().map((client) => client.getCode(contract)))
  expect(first).toMatch(/^0x6/)
  expect(second).toBe(first)
  expect(third).not.toBe(first)
  const word = (value: bigint) => toHex(value, { size: 32 }).slice(2)
  expect(third?.replaceAll(word(10n ** 12n), word(1n))).toBe(first)
})

describe.each([0, 1, 2])('network %d', (index) => {
  const client = () => {
    const [found] = clients().slice(index)
    if (!found) throw new TypeError('There are three networks')
    return found
  }

  test('behavior: has owner, operator and settler', async () => {
    const { owner, operator, settler } = devRoles
    expect(await client().readContract({ ...contract, functionName: 'owner' })).toBe(owner.address)
    const may = (functionName: 'isOperator' | 'isSettler', { address }: { address: `0x${string}` }) =>
      client().readContract({ ...contract, functionName, args: [address] })
    expect([await may('isOperator', operator), await may('isSettler', settler)]).toEqual([true, true])
    expect([await may('isOperator', settler), await may('isSettler', operator)]).toEqual([false, false])
  })

  test('behavior: two of three attestors decide', async () => {
    const verifier = await client().readContract({ ...contract, functionName: 'verifier' })
    const set = { address: verifier, abi: attestorSetAbi } as const
    expect(await client().readContract({ ...set, functionName: 'threshold' })).toBe(2n)
    expect(await client().readContract({ ...set, functionName: 'attestorCount' })).toBe(3n)
    expect(await client().readContract({ ...set, functionName: 'owner' })).toBe(devRoles.owner.address)
    for (const { address } of devRoles.attestors) {
      expect(await client().readContract({ ...set, functionName: 'isAttestor', args: [address] })).toBe(true)
    }
  })

  test('behavior: can lend a million tokens, and as much within an hour', async () => {
    const million = 1_000_000_000_000n
    expect(await client().readContract({ ...contract, functionName: 'liquidity' })).toBe(million)
    expect(await client().readContract({ ...contract, functionName: 'outflow' })).toEqual([million, 0n, 0])
    const scale = await client().readContract({ ...contract, functionName: 'SCALE' })
    expect(scale).toBe(index === 2 ? 10n ** 12n : 1n)
    const held = await client().readContract({
      address: settlementTokenAddress,
      abi: devTokenAbi,
      functionName: 'balanceOf',
      args: [smartBalanceAddress],
    })
    expect(held).toBe(million * scale)
  })

  test('behavior: has a gas deposit and a stake in EntryPoint', async () => {
    const info = await client().readContract({
      address: canonicalAddresses.entryPoint,
      abi: entryPointAbi,
      functionName: 'getDepositInfo',
      args: [smartBalanceAddress],
    })
    expect(info).toEqual({
      deposit: parseEther('100'),
      staked: true,
      stake: parseEther('1'),
      unstakeDelaySec: 86_400,
      withdrawTime: 0,
    })
  })

  test('behavior: every role has native coin, and is not one of the printed accounts', async () => {
    const { owner, operator, settler, attestors } = devRoles
    for (const { address } of [owner, operator, settler, ...attestors]) {
      expect(await client().getBalance({ address })).toBe(parseEther('10000'))
      expect(devAccounts.map((account) => account.address)).not.toContain(address)
    }
  })
})

test.each(hardforks)('args: hardfork %s', async (hardfork) => {
  await using node = await startNode({ hardfork })
  const { publicClient } = clientsOf(node)
  expect(await publicClient.readContract({ ...contract, functionName: 'totalDeposits' })).toBe(0n)
})
