/** @module-tag all */

import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { localTransport, settlementTokenAddress } from '@lanyard/devnet'
import { devTokenAbi, predictSmartBalanceAddress, smartBalanceAbi } from '@lanyard/onchain'
import { randomPrivateKey } from '@lanyard/testing'
import { createWalletClient, encodeFunctionData, getAddress, parseEther } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addressAt, amounts, type CliChain, startCliChain } from './cli-chain.ts'

/** A multisig: nobody has a key of its address. */
const safe = getAddress('0x5afe000000000000000000000000000000005afe')
const smartBalance = predictSmartBalanceAddress(safe)

let cli: CliChain
let directory: string
beforeAll(async () => {
  cli = await startCliChain()
  directory = await mkdtemp(join(tmpdir(), 'lanyard-safe-'))
  await cli.chain.setBalance({ address: safe, value: parseEther('100') })
  await cli.chain.impersonateAccount({ address: safe })
  await send([{ to: settlementTokenAddress, data: mint, value: '0' }])
})
afterAll(async () => {
  await cli?.[Symbol.asyncDispose]()
  await rm(directory, { recursive: true, force: true })
})

const mint = encodeFunctionData({
  abi: devTokenAbi,
  functionName: 'mint',
  args: [safe, 1_000_000_000n],
})

/** Sends calls as the Safe would after its people have signed. */
async function send(calls: readonly { to: `0x${string}`; data: `0x${string}`; value: string }[]) {
  const wallet = createWalletClient({ account: safe, transport: localTransport(cli.node.rpcUrl) })
  for (const { to, data, value } of calls) {
    const hash = await wallet.sendTransaction({ chain: null, to, data, value: BigInt(value) })
    const { status } = await cli.chain.waitForTransactionReceipt({ hash })
    expect(status).toBe('success')
  }
}

const batchOf = async (path: string) => JSON.parse(await readFile(path, 'utf8'))
const withoutOwner = ({ DEPLOYER_PRIVATE_KEY: _, ...env }: Record<string, string>) => env

test('behavior: a multisig deploys and owns everything, with files for its Transaction Builder and no key', async () => {
  const file = join(directory, 'deploy.json')
  const env = withoutOwner(cli.envBefore)
  const as = ['--safe', safe]
  const planned = await cli.run(env, 'deploy', ...amounts, ...as, '--batch', file)
  expect(planned.code, planned.stderr).toBe(0)
  expect(planned.stdout).toContain(`SmartBalance at ${smartBalance}`)
  const batch = await batchOf(file)
  expect(batch).toMatchObject({
    version: '1.0',
    chainId: '31337',
    meta: { createdFromSafeAddress: safe },
    transactions: expect.arrayContaining([
      {
        to: expect.any(String),
        value: '0',
        data: expect.any(String),
        contractMethod: null,
        contractInputsValues: null,
      },
    ]),
  })
  for (const { to, data } of batch.transactions) {
    expect(planned.stdout).toContain(`to    ${to}`)
    expect(planned.stdout).toContain(`data  ${data}`)
  }
  expect(await cli.chain.getCode({ address: smartBalance })).toBeUndefined()

  await send(batch.transactions)
  const again = await cli.run(env, 'deploy', ...amounts, ...as, '--batch', join(directory, 'again.json'))
  expect(again.stdout).toContain('Nothing to do')

  const nativePrice = { kind: 'fixed', price: '2500000000' }
  const after = withoutOwner({
    ...cli.envAfter,
    NETWORKS_FILE: await cli.networksFile({ local: true, smartBalance, nativePrice }),
  })
  const pause = join(directory, 'pause.json')
  expect(await cli.run(after, 'pause', ...as, '--batch', pause)).toMatchObject({ code: 0 })
  await send((await batchOf(pause)).transactions)
  expect(
    await cli.chain.readContract({ address: smartBalance, abi: smartBalanceAbi, functionName: 'paused' }),
  ).toBe(true)

  // A file that somebody may be signing is never replaced.
  const kept = await cli.run(after, 'resume', ...as, '--batch', pause)
  expect([kept.code, kept.stderr]).toEqual([1, expect.stringContaining('--batch')])
  // Calls of another address would fail.
  const other = await cli.run(
    after,
    'resume',
    '--safe',
    addressAt(9),
    '--batch',
    join(directory, 'other.json'),
  )
  expect([other.code, other.stderr]).toEqual([1, expect.stringContaining('belongs to')])
})

test('behavior: on a real network no private key owns, and only the pauser may act with one', async () => {
  const nativePrice = { kind: 'fixed', price: '2500000000' }
  const networks = await cli.networksFile({ local: false, smartBalance, nativePrice })
  const pauserKey = randomPrivateKey()
  const pauser = privateKeyToAccount(pauserKey)
  await cli.chain.setBalance({ address: pauser.address, value: parseEther('1') })
  const setPauser = encodeFunctionData({
    abi: smartBalanceAbi,
    functionName: 'setPauser',
    args: [pauser.address],
  })
  const resume = encodeFunctionData({ abi: smartBalanceAbi, functionName: 'setPaused', args: [false] })
  await send([setPauser, resume].map((data) => ({ to: smartBalance, data, value: '0' })))

  const as = (key: string) => ({ ...cli.envAfter, NETWORKS_FILE: networks, DEPLOYER_PRIVATE_KEY: key })
  const anyone = as(randomPrivateKey())
  const rejected = { code: 1, stdout: expect.stringContaining('OWNER_KEY') }
  const commands = [
    ['resume'],
    ['deploy', ...amounts],
    ['pauser', 'set', '--address', addressAt(9)],
    ['liquidity', 'withdraw', '--amount', '1', '--to', addressAt(9)],
    ['roles', 'grant', '--role', 'operator', '--address', pauser.address],
    ['roles', 'rotate', '--role', 'owner', '--to', pauser.address],
  ]
  for (const [command = '', ...args] of commands)
    expect(await cli.run(anyone, command, ...args, '--yes', '--json'), command).toMatchObject(rejected)
  const paused = () =>
    cli.chain.readContract({ address: smartBalance, abi: smartBalanceAbi, functionName: 'paused' })
  expect(await paused()).toBe(false)
  const stopped = await cli.run(as(pauserKey), 'pause', '--yes')
  expect(stopped.code, stopped.stderr).toBe(0)
  expect(await paused()).toBe(true)
})
