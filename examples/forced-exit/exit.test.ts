/** @module-tag all */
// @promise 22

import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { computeAccountAddress } from '@lanyard/accounts'
import {
  type Devnet,
  devAccounts,
  localTransport,
  type RunningNetwork,
  startDevnet,
  writeNetworksFile,
} from '@lanyard/devnet'
import { devTokenAbi, smartBalanceAbi } from '@lanyard/onchain'
import { exitDelay } from '@lanyard/smart-balance'
import { randomPrivateKey } from '@lanyard/testing'
import { type Address, createTestClient, erc20Abi, type Hex, publicActions, walletActions } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'

const script = fileURLToPath(new URL('./exit.ts', import.meta.url))
const funder = privateKeyToAccount(devAccounts[1]?.privateKey ?? randomPrivateKey())
const recipient: Address = '0x000000000000000000000000000000000000bEEF'

let devnet: Devnet
let directory: string
const rpcUrls: Record<string, string> = {}
beforeAll(async () => {
  devnet = await startDevnet()
  directory = await mkdtemp(join(tmpdir(), 'lanyard-exit-'))
  await writeNetworksFile(join(directory, 'networks.json'), devnet.networks)
  // RPC addresses come from the environment, as operators configure them. One of them does not answer.
  const file = JSON.parse(await readFile(join(directory, 'networks.json'), 'utf8'))
  for (const [index, network] of file.networks.entries()) {
    rpcUrls[`RPC_${index}`] = network.rpcUrls[0]
    network.rpcUrls = [...(index === 0 ? ['http://127.0.0.1:9'] : []), `\${RPC_${index}}`]
  }
  await writeFile(join(directory, 'networks.json'), JSON.stringify(file))
})
afterAll(async () => {
  await devnet?.stop()
  await rm(directory, { recursive: true })
})

const chainOf = ({ rpcUrl }: RunningNetwork) =>
  createTestClient({ mode: 'anvil', transport: localTransport(rpcUrl), cacheTime: 0 })
    .extend(publicActions)
    .extend(walletActions)

const scaleOf = ({ settlementToken }: RunningNetwork) => 10n ** BigInt(settlementToken.decimals - 6)

async function deposit(network: RunningNetwork, account: Address, amount: bigint) {
  const { settlementToken, smartBalance } = network
  const chain = chainOf(network)
  const common = { account: funder, chain: null } as const
  const token = { ...common, address: settlementToken.address } as const
  const value = amount * scaleOf(network)
  await chain.writeContract({
    ...token,
    abi: devTokenAbi,
    functionName: 'mint',
    args: [funder.address, value],
  })
  await chain.writeContract({ ...token, abi: erc20Abi, functionName: 'approve', args: [smartBalance, value] })
  const hash = await chain.writeContract({
    ...common,
    address: smartBalance,
    abi: smartBalanceAbi,
    functionName: 'depositFor',
    args: [account, amount],
  })
  await chain.waitForTransactionReceipt({ hash })
}

const run = async (env: Record<string, Hex>) => {
  const args = [script, join(directory, 'networks.json'), '--to', recipient]
  const { stdout } = await promisify(execFile)(process.execPath, args, {
    env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE, ...rpcUrls, ...env },
  })
  return stdout
}

test('default: withdraws everything after 7 days without the service, for an account that is not deployed', async () => {
  const key = randomPrivateKey()
  const account = computeAccountAddress({ kind: 'eoa', address: privateKeyToAccount(key).address })
  const [first, second] = devnet.networks
  if (!first || !second) throw new TypeError('The devnet has three networks')
  await deposit(first, account, 100_000_000n)
  await deposit(second, account, 40_000_001n)
  const env = { OWNER_KEY: key, PAYER_KEY: devAccounts[2]?.privateKey ?? key }

  expect(await run(env)).toContain('requested the withdrawal of 100 of the combined balance')
  expect(await run(env)).toContain('40.000001 of the combined balance: can be withdrawn from')
  for (const network of [first, second]) {
    const chain = chainOf(network)
    await chain.increaseTime({ seconds: exitDelay })
    await chain.mine({ blocks: 1 })
  }
  expect(await run(env)).toContain('moved 40.000001 of the combined balance')
  expect(await run(env)).toContain('nothing is left')
  for (const [network, amount] of [
    [first, 100_000_000n],
    [second, 40_000_001n],
  ] as const) {
    const { address } = network.settlementToken
    const held = await chainOf(network).readContract({
      address,
      abi: erc20Abi,
      functionName: 'balanceOf',
      args: [recipient],
    })
    expect(held).toBe(amount * scaleOf(network))
  }
})

test('error: names a variable that is not set', async () => {
  const env = { PATH: process.env.PATH, OWNER_KEY: randomPrivateKey() }
  const args = [script, join(directory, 'networks.json')]
  const failed = await promisify(execFile)(process.execPath, args, { env }).catch((error) => error)
  expect(failed).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('the variable RPC_0 is not set'),
  })
})
