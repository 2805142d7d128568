/** @module-tag all */
// @promise 20
import { createHash } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { devTokenAbi } from '@lanyard/onchain'
import { parseEther } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type DevnetExit,
  devAccounts,
  settlementTokenAddress,
  smartBalanceAddress,
  startDevnet,
  startNode,
} from '../src/index.ts'
import { clientsOf, isAlive } from './clients.ts'

let directory: string
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'lanyard-devnet-'))
})
afterAll(() => rm(directory, { recursive: true }))

test('default', async () => {
  await using devnet = await startDevnet()
  expect(devnet.networks.map(({ chainId, name }) => ({ chainId, name }))).toEqual([
    { chainId: 31337, name: 'Local 1' },
    { chainId: 31338, name: 'Local 2' },
    { chainId: 31339, name: 'Local 3' },
  ])
  for (const network of devnet.networks) {
    const { publicClient } = clientsOf(network)
    expect(await publicClient.getChainId()).toBe(network.chainId)
    const token = { address: settlementTokenAddress, abi: devTokenAbi } as const
    expect(await publicClient.readContract({ ...token, functionName: 'decimals' })).toBe(
      network.settlementToken.decimals,
    )
    expect(await publicClient.readContract({ ...token, functionName: 'symbol' })).toBe('USDC')
    for (const { address } of devAccounts) {
      expect(await publicClient.getBalance({ address })).toBe(parseEther('10000'))
      expect(await publicClient.getTransactionCount({ address })).toBe(0)
    }
  }
  expect(devnet.networks.map(({ settlementToken }) => settlementToken.decimals)).toEqual([6, 6, 18])
})

test('behavior: blocks become safe and final', async () => {
  await using node = await startNode()
  const { publicClient } = clientsOf(node)
  const finalized = async () => (await publicClient.getBlock({ blockTag: 'finalized' })).number
  const before = await finalized()
  await expect.poll(finalized).toBeGreaterThan(before)
  const [safe, latest] = await Promise.all([
    publicClient.getBlock({ blockTag: 'safe' }),
    publicClient.getBlock({ blockTag: 'latest' }),
  ])
  expect(latest.number - safe.number).toBeLessThanOrEqual(2n)
})

test('behavior: a transaction is mined immediately, not at the next interval', async () => {
  await using node = await startNode({ blockTime: 60 })
  const { walletClient, publicClient } = clientsOf(node)
  const to = '0x00000000000000000000000000000000000000cc'
  const hash = await walletClient.sendTransaction({ chain: null, to, value: 1n })
  expect((await publicClient.waitForTransactionReceipt({ hash })).status).toBe('success')
})

test('args: dataDir', async () => {
  const dataDir = join(directory, 'data')
  const account = '0x00000000000000000000000000000000000000aa'
  const first = await startNode({ dataDir })
  const hash = await clientsOf(first).walletClient.sendTransaction({ chain: null, to: account, value: 9n })
  const receipt = await clientsOf(first).publicClient.waitForTransactionReceipt({ hash })
  await first.stop()

  await using second = await startNode({ dataDir })
  const { publicClient } = clientsOf(second)
  expect(await publicClient.getBalance({ address: account })).toBe(9n)
  expect((await publicClient.getTransactionReceipt({ hash })).blockHash).toBe(receipt.blockHash)
})

test('args: dataDir, with a process that is killed', async () => {
  const dataDir = join(directory, 'killed')
  const account = '0x00000000000000000000000000000000000000bb'
  await using first = await startNode({ dataDir })
  const hash = await clientsOf(first).walletClient.sendTransaction({ chain: null, to: account, value: 9n })
  await clientsOf(first).publicClient.waitForTransactionReceipt({ hash })
  const isWritten = async () => {
    try {
      const state = await readFile(join(dataDir, 'chain-31337.json'), 'utf8')
      return account in JSON.parse(state).accounts
    } catch {
      return false // not written yet, or incomplete
    }
  }
  await expect.poll(isWritten, { message: 'anvil writes its state' }).toBe(true)
  process.kill(first.pid, 'SIGKILL')

  await using second = await startNode({ dataDir })
  expect(await clientsOf(second).publicClient.getBalance({ address: account })).toBe(9n)
})

test('error: STATE_CORRUPT', async () => {
  const dataDir = join(directory, 'corrupt')
  await (await startNode({ dataDir })).stop()
  await writeFile(join(dataDir, 'chain-31337.json'), '{"block":')
  await expect(startNode({ dataDir })).rejects.toMatchObject({
    code: 'STATE_CORRUPT',
    message: expect.stringContaining('chain-31337.json'),
  })
})

test('error: STATE_OUTDATED for a chain without the current contracts', async () => {
  const dataDir = join(directory, 'outdated')
  const first = await startNode({ dataDir })
  await clientsOf(first).testClient.setCode({ address: smartBalanceAddress, bytecode: '0x' })
  await first.stop()
  await expect(startNode({ dataDir })).rejects.toMatchObject({
    code: 'STATE_OUTDATED',
    message: expect.stringContaining('chain-31337.json'),
  })
})

test('behavior: a taken port is replaced by a free one', async () => {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new TypeError('A TCP server has a port')
  await using node = await startNode({ port: address.port })
  expect(node.takenPort).toBe(address.port)
  expect(node.port).not.toBe(address.port)
  expect(await clientsOf(node).publicClient.getChainId()).toBe(31337)
  server.close()
})

test('args: port', async () => {
  const freed = await startNode()
  await freed.stop()
  await using node = await startNode({ port: freed.port })
  expect(node.rpcUrl).toBe(`http://127.0.0.1:${freed.port}`)
  expect(node.takenPort).toBeUndefined()
})

test('args: onExit', async () => {
  const exits: DevnetExit[] = []
  await using node = await startNode({ chainId: 31338, onExit: (exit) => exits.push(exit) })
  process.kill(node.pid, 'SIGKILL')
  await expect.poll(() => exits).toHaveLength(1)
  expect(exits[0]).toMatchObject({ chainId: 31338, reason: 'signal SIGKILL' })
})

test('behavior: stop is not reported as an exit', async () => {
  const exits: DevnetExit[] = []
  const node = await startNode({ onExit: (exit) => exits.push(exit) })
  await Promise.all([node.stop(), node.stop()])
  expect(isAlive(node.pid)).toBe(false)
  expect(exits).toEqual([])
})

test('args: signal', async () => {
  const controller = new AbortController()
  const node = await startNode({ signal: controller.signal })
  controller.abort()
  await expect.poll(() => isAlive(node.pid)).toBe(false)
  await expect(startNode({ signal: controller.signal })).rejects.toMatchObject({ code: 'ABORTED' })
})

test("error: ANVIL_FAILED with anvil's last lines", async () => {
  // A hard fork that anvil does not know, as an untyped caller could pass it.
  const hardfork = 'atlantis' as 'prague'
  await expect(startNode({ hardfork })).rejects.toMatchObject({
    code: 'ANVIL_FAILED',
    message: expect.stringMatching(/atlantis/i),
  })
})

test('args: cacheDir, built by each of several concurrent starts, then reused', async () => {
  const cacheDir = join(directory, 'cache')
  const nodes = await Promise.all([startNode({ cacheDir }), startNode({ cacheDir }), startNode({ cacheDir })])
  await Promise.all(nodes.map((node) => node.stop()))
  const built = await readdir(cacheDir)
  for (const name of built) expect(name).toMatch(/^\w{32}-\w{32}\.json$/)

  await (await startNode({ cacheDir })).stop()
  expect(await readdir(cacheDir)).toEqual(built)
})

test('behavior: a damaged cache is replaced', async () => {
  const cacheDir = join(directory, 'damaged')
  await (await startNode({ cacheDir })).stop()
  const [name = ''] = await readdir(cacheDir)
  await writeFile(join(cacheDir, name), '{"accounts":{}}')

  await using node = await startNode({ cacheDir })
  expect(await clientsOf(node).publicClient.getCode({ address: settlementTokenAddress })).toBeDefined()
  for (const intact of await readdir(cacheDir)) {
    const hash = createHash('sha256')
      .update(await readFile(join(cacheDir, intact)))
      .digest('hex')
    expect(intact).toContain(hash.slice(0, 32))
  }
})
