/** @module-tag all */
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { computeAccountAddress, defaultDeployment, encodeInitializer } from '@lanyard/accounts'
import { createLanyardClient, signBuild } from '@lanyard/client'
import { devAccounts } from '@lanyard/devnet'
import { exitDelay } from '@lanyard/smart-balance'
import { randomPrivateKey } from '@lanyard/testing'
import { type Address, erc20Abi, type Hex } from 'viem'
import { privateKeyToAccount, privateKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { chainOf, type Stage, startStage } from './service-that-ended.ts'

const script = fileURLToPath(new URL('../src/cli.ts', import.meta.url))
const run = promisify(execFile)
const payerKey = devAccounts[2]?.privateKey ?? '0x'

let stage: Stage
beforeAll(async () => {
  stage = await startStage()
})
afterAll(() => stage?.[Symbol.asyncDispose]())

/**
 * Creates an account with the service: a deposit on the first network, and money on the second, where it is
 * not deployed.
 */
async function settleIn(key: Hex) {
  const lanyard = createLanyardClient({ baseUrl: stage.service.url })
  const owner = privateKeyToAccount(key)
  const { wallet } = await lanyard.smartAccount.create({ eoaAddress: owner.address })
  const walletAddress = wallet.scw_address
  for (const network of ['31337', '31338']) await lanyard.wallet.faucet({ network, walletAddress })
  const { transactions } = await lanyard.smartBalance.deposit({
    walletAddress,
    network: 31337,
    amount: '60000000',
  })
  const request = { network: '31337', walletAddress, transactionDetails: transactions }
  const build = await lanyard.smartAccount.build(request)
  const signature = await signBuild({ build, request, signer: owner })
  expect(await lanyard.smartAccount.submit({ walletAddress, signature })).toMatchObject({ success: true })
  const kit = await lanyard.owner.recoveryKit({ walletAddress })
  return {
    account: walletAddress as Address,
    kit: await stage.keep(`${walletAddress}.json`, JSON.stringify(kit)),
  }
}

async function recover(env: Record<string, Hex>, ...args: readonly string[]): Promise<string> {
  const { stdout } = await run(process.execPath, [script, ...args], {
    env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE, ...env },
  })
  return stdout
}

/** A kit as the service returns it. */
function kitOf(eoaAddress: Address) {
  const owner = { kind: 'eoa', address: eoaAddress } as const
  const { factory, singleton, module, entryPoint } = defaultDeployment
  return {
    walletAddress: computeAccountAddress(owner),
    ...{ factory, singleton, module, entryPoint, saltNonce: '0', eoaAddress },
    initializer: encodeInitializer(owner),
    networks: stage.networks.map(({ chainId: network, name, rpcUrl, smartBalance }) => ({
      ...{ network, name, rpcUrl, smartBalance },
      tokens: [],
    })),
  }
}

/** An address's holdings on each network: wei and settlement tokens. */
const belongings = (address: Address) =>
  Promise.all(
    stage.networks.map(async (network) => {
      const chain = chainOf(network)
      const token = { address: network.settlementToken.address, abi: erc20Abi } as const
      return {
        native: await chain.getBalance({ address }),
        tokens: await chain.readContract({ ...token, functionName: 'balanceOf', args: [address] }),
      }
    }),
  )

test('default: an EOA moves all funds out after the service has shut down', async () => {
  const [direct, self] = [randomPrivateKey(), randomPrivateKey()]
  const [byTransaction, byOperation] = [await settleIn(direct), await settleIn(self)]
  await stage.service.stop()
  await expect(fetch(`${stage.service.url}/health`)).rejects.toThrow()
  const before = await belongings(byTransaction.account)

  const to = privateKeyToAddress(randomPrivateKey())
  const keys = { OWNER_KEY: direct, PAYER_KEY: payerKey }
  expect(await recover(keys, byTransaction.kit, '--to', to, '--dry-run')).toContain('can be moved: 40 USDC')
  const first = await recover(keys, byTransaction.kit, '--to', to)
  expect(first).toContain('31337 Local 1: moved 40 USDC')
  expect(first).toContain('31337 Local 1: requested the withdrawal of 60 of the combined balance')
  expect(first).toContain('31338 Local 2: moved 100 USDC')
  expect(first).toContain('31339 Local 3: there is nothing to move now')
  expect(await recover(keys, byTransaction.kit, '--to', to)).toContain(
    '60 of the combined balance: can be withdrawn',
  )

  // The other account pays for its own operation. The payer only sends it.
  const elsewhere = privateKeyToAddress(randomPrivateKey())
  const ownKeys = { OWNER_KEY: self, PAYER_KEY: payerKey }
  const way = ['--to', elsewhere, '--way', 'entry-point']
  expect(await recover(ownKeys, byOperation.kit, ...way)).toContain('31338 Local 2: moved 100 USDC')

  for (const network of stage.networks) {
    const chain = chainOf(network)
    await chain.increaseTime({ seconds: exitDelay })
    await chain.mine({ blocks: 1 })
  }
  expect(await recover(keys, byTransaction.kit, '--to', to)).toContain('moved 60 of the combined balance')
  // The rest of its prefund at EntryPoint is moved as well.
  const last = await recover(ownKeys, byOperation.kit, '--to', elsewhere)
  expect(last).toContain('moved 60 of the combined balance')
  expect(last).toMatch(/moved 0\.\d+ ETH kept for gas/)

  for (const address of [byTransaction.account, byOperation.account]) {
    expect(await belongings(address)).toEqual(Array(3).fill({ native: 0n, tokens: 0n }))
  }
  // Exact to the last wei: the account paid no gas.
  const arrived = await belongings(to)
  expect(arrived[1]).toEqual(before[1])
  expect(arrived[0]?.tokens).toBe(100_000_000n)
  expect(arrived[0]?.native).toBeGreaterThanOrEqual(before[0]?.native ?? 0n)
  expect((await belongings(elsewhere)).map(({ tokens }) => tokens)).toEqual([100_000_000n, 100_000_000n, 0n])
})

test('error: a third party cannot move anything, and the exit code shows it', async () => {
  const kit = JSON.stringify(kitOf(privateKeyToAddress(randomPrivateKey())))
  const path = await stage.keep('strange.json', kit)
  const keys = { OWNER_KEY: payerKey }
  const account = JSON.parse(kit).walletAddress
  await Promise.all(
    stage.networks.map((network) => chainOf(network).setBalance({ address: account, value: 1n })),
  )
  const failed = await recover(keys, path, '--to', account.replace(/.$/, '0').toLowerCase()).catch(
    (error) => error,
  )
  expect(failed).toMatchObject({ code: 1 })
  expect(failed.stderr.match(/is not an owner of the account on this network/g)).toHaveLength(3)
})
