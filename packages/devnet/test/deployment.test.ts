/** @module-tag all */
import {
  type DeploymentPlan,
  type DeploymentTarget,
  deploySmartBalance,
  deterministicDeployer,
  devTokenAbi,
  devTokenBytecode,
  planDeployment,
  predictSmartBalanceAddress,
  smartBalanceAbi,
  smartBalanceBytecode,
  smartBalanceDeployerAbi,
  smartBalanceDeployerAddress,
} from '@lanyard/onchain'
import { type Address, createWalletClient, keccak256, parseEther, toHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import {
  canonicalAddresses,
  devAccounts,
  devRoles,
  settlementTokenAddress,
  smartBalanceAddress,
  startNode,
} from '../src/index.ts'
import { localTransport } from '../src/local-transport.ts'
import { clientsOf } from './clients.ts'

/** An owner other than the local networks' own, whose SmartBalance is not deployed yet. */
const ownerAccount = accountAt(3)
const owner = ownerAccount.address

const target: DeploymentTarget = {
  owner,
  token: settlementTokenAddress,
  entryPoint: canonicalAddresses.entryPoint,
  safe4337Module: canonicalAddresses.safe4337Module,
  attestors: [4, 5, 6].map((index) => accountAt(index).address),
  threshold: 2,
  operators: [accountAt(7).address],
  settlers: [accountAt(8).address],
  pauser: accountAt(9).address,
  outflowCap: 5_000_000n,
  gasDeposit: parseEther('2'),
  stake: parseEther('0.5'),
  liquidity: 70_000_000n,
}

const allSteps = [
  'deployer',
  'attestors',
  'smartBalance',
  'operator',
  'settler',
  'pauser',
  'outflowCap',
  'gasDeposit',
  'stake',
  'liquidity',
]

describe('deploySmartBalance', () => {
  test('default: deploys everything as specified, and a second run has nothing to do', async () => {
    await using chain = await startFreshChain()
    const plan = await deploy(chain)
    expect(namesOf(plan)).toEqual(allSteps)
    await expectTarget(chain)
    expect((await deploy(chain)).steps).toEqual([])
  })

  test('behavior: the address is as predicted, whatever decimals the token has', async () => {
    await using chain = await startFreshChain(31339)
    const plan = await deploy(chain)
    await expectTarget(chain)
    const predicted = predictSmartBalanceAddress(owner)
    expect(plan.smartBalance).toBe(predicted)
    const answered = await chain.publicClient.readContract({
      address: smartBalanceDeployerAddress,
      abi: smartBalanceDeployerAbi,
      functionName: 'addressOf',
      args: [owner, keccak256(toHex('lanyard.smart-balance.1')), keccak256(smartBalanceBytecode)],
    })
    expect(answered).toBe(predicted)
    expect(predictSmartBalanceAddress(devRoles.owner.address)).toBe(smartBalanceAddress)
  })

  test.each(['sent', 'included'] as const)(
    'behavior: if it ends when a step is %s, the next run continues without repeating a step',
    async (state) => {
      await using chain = await startFreshChain()
      const before = await chain.publicClient.getTransactionCount({ address: owner })
      for (let run = 0; run < allSteps.length; run++) {
        const ended = new Error('ended')
        const onProgress = (progress: { state: string }) => {
          if (progress.state === state) throw ended
        }
        const { publicClient, walletClient } = chain
        await expect(deploySmartBalance(publicClient, walletClient, target, { onProgress })).rejects.toBe(
          ended,
        )
        await chain.settled()
      }
      expect((await planDeployment(chain.publicClient, target)).steps).toEqual([])
      await expectTarget(chain)
      expect(await chain.publicClient.getTransactionCount({ address: owner })).toBe(before + allSteps.length)
    },
  )

  test('behavior: a step that waits in the pool stops the next run until it is included', async () => {
    await using chain = await startFreshChain()
    await chain.testClient.setAutomine(false)
    await chain.testClient.setIntervalMining({ interval: 0 })
    const ended = new Error('ended')
    const onProgress = () => {
      throw ended
    }
    const { publicClient, walletClient } = chain
    await expect(deploySmartBalance(publicClient, walletClient, target, { onProgress })).rejects.toBe(ended)
    await expect(planDeployment(publicClient, target)).rejects.toMatchObject({ code: 'TRANSACTIONS_PENDING' })
    await chain.testClient.mine({ blocks: 1 })
    expect(namesOf(await planDeployment(publicClient, target))).toEqual(allSteps.slice(1))
  })

  test('behavior: amounts below their target are topped up', async () => {
    await using chain = await startFreshChain()
    await deploy(chain)
    const more = { ...target, liquidity: target.liquidity + 3n, outflowCap: 1n, gasDeposit: parseEther('3') }
    const plan = await deploy(chain, more)
    expect(namesOf(plan)).toEqual(['outflowCap', 'gasDeposit', 'liquidity'])
    expect(plan.tokenNeeded).toBe(3n)
    await expectTarget(chain, more)
  })

  test('behavior: the estimate of each step is above its cost, and below twice its cost', async () => {
    await using chain = await startFreshChain()
    const { publicClient, walletClient } = chain
    const sent: { name: string; gas: bigint; hash: `0x${string}` }[] = []
    await deploySmartBalance(publicClient, walletClient, target, {
      onProgress: ({ step, transactionHash, state }) => {
        if (state === 'included') sent.push({ name: step.name, gas: step.gas, hash: transactionHash })
      },
    })
    for (const { name, gas, hash } of sent) {
      const { gasUsed } = await publicClient.getTransactionReceipt({ hash })
      expect(gas, `${name} takes ${gasUsed}`).toBeGreaterThanOrEqual(gasUsed)
      expect(gas, `${name} takes ${gasUsed}`).toBeLessThan(gasUsed * 2n)
    }
    expect(sent.map(({ name }) => name)).toEqual(allSteps)
  })

  test('error: INSUFFICIENT_FUNDS before anything is sent', async () => {
    await using chain = await startFreshChain()
    const rich = { ...target, stake: parseEther('20000'), liquidity: 10n ** 12n }
    await expect(deploy(chain, rich)).rejects.toMatchObject({
      code: 'INSUFFICIENT_FUNDS',
      message: expect.stringMatching(/lacks about 10002\.\d+ of the native coin and 999900000000 base units/),
    })
    expect(namesOf(await planDeployment(chain.publicClient, target))).toEqual(allSteps)
  })
})

describe('planDeployment', () => {
  test.each<[string, Partial<DeploymentTarget>]>([
    ['another token', { token: '0x0000000000000000000000000000000000000a11' }],
    ['different attestors', { attestors: [0, 5, 6].map((index) => accountAt(index).address) }],
    ['a different threshold', { threshold: 1 }],
  ])('error: PRESENT_DIFFERS, %s', async (_, change) => {
    await using chain = await startFreshChain()
    await deploy(chain)
    if (change.token) await placeToken(chain, change.token, 6)
    await expect(planDeployment(chain.publicClient, { ...target, ...change })).rejects.toMatchObject({
      code: 'PRESENT_DIFFERS',
    })
  })

  test('error: PRESENT_DIFFERS after the ownership was transferred', async () => {
    await using chain = await startFreshChain()
    const { smartBalance: address } = await deploy(chain)
    const heir = accountAt(9)
    const { publicClient, walletClient } = chain
    const call = { address, abi: smartBalanceAbi, chain: null } as const
    await publicClient.waitForTransactionReceipt({
      hash: await walletClient.writeContract({
        ...call,
        functionName: 'transferOwnership',
        args: [heir.address],
      }),
    })
    await publicClient.waitForTransactionReceipt({
      hash: await walletClient.writeContract({ ...call, account: heir, functionName: 'acceptOwnership' }),
    })
    await expect(planDeployment(publicClient, target)).rejects.toMatchObject({
      code: 'PRESENT_DIFFERS',
      message: expect.stringContaining(`owner is ${heir.address} instead of ${owner}`),
    })
  })

  test('error: UNSUPPORTED_NETWORK without the deterministic deployer, with what to do', async () => {
    await using chain = await startFreshChain()
    await chain.testClient.setCode({ address: deterministicDeployer, bytecode: '0x' })
    await expect(planDeployment(chain.publicClient, target)).rejects.toMatchObject({
      code: 'UNSUPPORTED_NETWORK',
      message: expect.stringMatching(
        /the deterministic deployer at 0x4e59.*0x3fAB184622Dc19b6109349B94811493BF45362af/s,
      ),
    })
  })

  test('error: UNSUPPORTED_NETWORK before Cancun', async () => {
    // A hard fork that local networks do not support, as an untyped caller could pass it.
    await using node = await startNode({ hardfork: 'shanghai' as 'cancun' })
    await expect(planDeployment(clientsOf(node).publicClient, target)).rejects.toMatchObject({
      code: 'UNSUPPORTED_NETWORK',
      message: expect.stringContaining('EIP-1153'),
    })
  })

  test('error: UNSUPPORTED_TOKEN', async () => {
    await using chain = await startFreshChain()
    const token = '0x0000000000000000000000000000000000000a11'
    await expect(planDeployment(chain.publicClient, { ...target, token })).rejects.toMatchObject({
      code: 'UNSUPPORTED_TOKEN',
    })
    await placeToken(chain, token, 5)
    await expect(planDeployment(chain.publicClient, { ...target, token })).rejects.toMatchObject({
      code: 'UNSUPPORTED_TOKEN',
      message: expect.stringContaining('5 decimals'),
    })
  })

  test.each([
    ['the owner is an attestor', { attestors: [owner, accountAt(4).address, accountAt(5).address] }],
    ['operator and settler are the same', { settlers: target.operators }],
    ['all attestors must agree', { threshold: 3 }],
    ['no attestor must agree', { threshold: 0 }],
  ])('error: INVALID_TARGET, %s', async (_, change) => {
    const nobody = clientsOf({ rpcUrl: 'http://127.0.0.1:9' })
    await expect(planDeployment(nobody.publicClient, { ...target, ...change })).rejects.toMatchObject({
      code: 'INVALID_TARGET',
    })
  })
})

/** A local network without any of this owner's smart balance contracts; the owner has 100 tokens. */
async function startFreshChain(chainId = 31337) {
  const node = await startNode({ chainId })
  const { publicClient, testClient } = clientsOf(node)
  const walletClient = createWalletClient({ transport: localTransport(node.rpcUrl), account: ownerAccount })
  await testClient.setCode({ address: smartBalanceDeployerAddress, bytecode: '0x' })
  await testClient.setNonce({ address: smartBalanceDeployerAddress, nonce: 0 })
  const hash = await walletClient.writeContract({
    chain: null,
    address: settlementTokenAddress,
    abi: devTokenAbi,
    functionName: 'mint',
    args: [owner, 100_000_000n * 10n ** BigInt(node.settlementToken.decimals - 6)],
  })
  await publicClient.waitForTransactionReceipt({ hash })
  return {
    node,
    publicClient,
    walletClient,
    testClient,
    /** Resolves when the pool is empty. */
    async settled() {
      const count = (blockTag: 'latest' | 'pending') =>
        publicClient.getTransactionCount({ address: owner, blockTag })
      while ((await count('latest')) < (await count('pending'))) await testClient.mine({ blocks: 1 })
    },
    [Symbol.asyncDispose]: () => node.stop(),
  }
}

type FreshChain = Awaited<ReturnType<typeof startFreshChain>>

const deploy = ({ publicClient, walletClient }: FreshChain, wanted = target) =>
  deploySmartBalance(publicClient, walletClient, wanted)

const namesOf = ({ steps }: DeploymentPlan) => steps.map(({ name }) => name)

async function expectTarget({ publicClient, node }: FreshChain, wanted = target): Promise<void> {
  const contract = { address: predictSmartBalanceAddress(owner), abi: smartBalanceAbi } as const
  const [operator = owner] = wanted.operators
  const [settler = owner] = wanted.settlers
  const read = await Promise.all([
    publicClient.readContract({ ...contract, functionName: 'owner' }),
    publicClient.readContract({ ...contract, functionName: 'token' }),
    publicClient.readContract({ ...contract, functionName: 'SCALE' }),
    publicClient.readContract({ ...contract, functionName: 'isOperator', args: [operator] }),
    publicClient.readContract({ ...contract, functionName: 'isSettler', args: [settler] }),
    publicClient.readContract({ ...contract, functionName: 'outflow' }),
    publicClient.readContract({ ...contract, functionName: 'liquidity' }),
  ])
  expect(read).toEqual([
    owner,
    settlementTokenAddress,
    10n ** BigInt(node.settlementToken.decimals - 6),
    true,
    true,
    [wanted.outflowCap, 0n, 0],
    wanted.liquidity,
  ])
}

async function placeToken(
  { testClient, walletClient, publicClient }: FreshChain,
  at: Address,
  decimals: number,
) {
  const hash = await walletClient.deployContract({
    chain: null,
    abi: devTokenAbi,
    bytecode: devTokenBytecode,
    args: ['Another', 'ANO', decimals],
  })
  const { contractAddress } = await publicClient.waitForTransactionReceipt({ hash })
  if (!contractAddress) throw new TypeError('A deployment has an address')
  // decimals is an immutable of the token, so it is part of its code
  const code = await publicClient.getCode({ address: contractAddress })
  await testClient.setCode({ address: at, bytecode: code ?? '0x' })
}

function accountAt(index: number) {
  const account = devAccounts[index]
  if (!account) throw new TypeError('There are ten accounts')
  return privateKeyToAccount(account.privateKey)
}
