/** @module-tag all */
import { createRequire } from 'node:module'
import {
  attestorSetAbi,
  type DeploymentTarget,
  deploySmartBalance,
  devTokenAbi,
  entryPointAbi,
  multiSendAbi,
  smartBalanceAbi,
} from '@lanyard/onchain'
import {
  type Abi,
  type Address,
  concat,
  createWalletClient,
  encodeFunctionData,
  encodePacked,
  getAddress,
  type Hex,
  maxUint48,
  pad,
  parseAbi,
  parseEther,
  size,
  zeroAddress,
  zeroHash,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { canonicalAddresses, devAccounts, settlementTokenAddress, startNode } from '../src/index.ts'
import { localTransport } from '../src/local-transport.ts'
import { clientsOf } from './clients.ts'
import { safeOf } from './safe.ts'

/** The procedures of docs/audit/deployment.md, step by step. */

const [oldOwner, newOwner, operator, attestor, user] = [3, 2, 7, 4, 1].map(accountAt) as [
  Account,
  Account,
  Account,
  Account,
  Account,
]
const day = 86_400
const deposit = 50_000_000n
const signer = pad(user.address)
const contract = (address: Address) => ({ address, abi: smartBalanceAbi }) as const
const token = { address: settlementTokenAddress, abi: devTokenAbi } as const

describe('moving deposits to a new SmartBalance', () => {
  test('default: with the co-signature, in one transaction of the account, while the old one is paused', async () => {
    await using chain = await startTwoSmartBalances()
    const { from, to, account, publicClient } = chain
    await chain.send(oldOwner, from, encode('setPaused', [true]))
    const withdrawal = { to: account, amount: deposit, fee: 0n, salt: zeroHash, deadline: Number(maxUint48) }
    const signature = await operator.signTypedData({
      domain: { name: 'SmartBalance', version: '1', chainId: 31337, verifyingContract: from },
      types: {
        Withdraw: [
          { name: 'account', type: 'address' },
          { name: 'to', type: 'address' },
          { name: 'amount', type: 'uint128' },
          { name: 'fee', type: 'uint128' },
          { name: 'salt', type: 'bytes32' },
          { name: 'deadline', type: 'uint48' },
        ],
      },
      primaryType: 'Withdraw',
      message: { account, ...withdrawal },
    })
    const { amount, fee, salt, deadline } = withdrawal
    await chain.asAccount([
      [from, encode('withdraw', [account, amount, fee, salt, deadline, signature])],
      ...depositCalls(to),
    ])
    expect(await chain.balances()).toEqual([0n, deposit])
    const pinned = await publicClient.readContract({
      ...contract(to),
      functionName: 'signerUntil',
      args: [account, signer],
    })
    expect(pinned).toBe(Number(maxUint48))
  })

  test('behavior: whoever does nothing can still exit alone after the owner has taken everything else', async () => {
    await using chain = await startTwoSmartBalances()
    const { from, to, publicClient, testClient } = chain
    await chain.send(oldOwner, from, encode('setPaused', [true]))
    await chain.send(oldOwner, from, encode('setOperator', [operator.address, false]))
    await chain.withdrawEverything()
    expect(await publicClient.readContract({ ...contract(from), functionName: 'liquidity' })).toBe(0n)
    expect(await publicClient.readContract({ ...token, functionName: 'balanceOf', args: [from] })).toBe(
      deposit,
    )
    await chain.asAccount([[from, encode('requestExit', [deposit])]])
    await testClient.increaseTime({ seconds: 7 * day })
    await chain.asAccount([[from, encode('finalizeExit', [chain.account])], ...depositCalls(to)])
    expect(await chain.balances()).toEqual([0n, deposit])
  })
})

describe('transfer to a timelock', () => {
  test('default: it accepts both contracts, and removes a stolen attestor after its delay', async () => {
    await using chain = await startTwoSmartBalances()
    const { from, publicClient } = chain
    const verifier = await publicClient.readContract({ ...contract(from), functionName: 'verifier' })
    const timelock = await chain.deployTimelock(oldOwner.address)
    const accept = encode('acceptOwnership', [])
    for (const owned of [from, verifier]) {
      await chain.send(oldOwner, owned, encode('transferOwnership', [timelock]))
      await chain.throughTimelock(timelock, owned, accept)
      expect(await publicClient.readContract({ ...contract(owned), functionName: 'owner' })).toBe(timelock)
    }
    await expect(chain.send(oldOwner, from, encode('setPaused', [true]))).rejects.toThrow()
    const set = { address: verifier, abi: attestorSetAbi } as const
    const remove = encodeFunctionData({ ...set, functionName: 'removeAttestor', args: [attestor.address] })
    await chain.throughTimelock(timelock, verifier, remove)
    const args = [attestor.address] as const
    expect(await publicClient.readContract({ ...set, functionName: 'isAttestor', args })).toBe(false)
  })
})

const encode = (functionName: string, args: readonly unknown[]): Hex =>
  encodeFunctionData({ abi: smartBalanceAbi as Abi, functionName, args })

/** Approve, deposit, pin. */
const depositCalls = (to: Address): [Address, Hex][] => [
  [settlementTokenAddress, encodeFunctionData({ ...token, functionName: 'approve', args: [to, deposit] })],
  [to, encode('deposit', [deposit])],
  [to, encode('addSigner', [signer])],
]

const safeTransactionAbi = parseAbi([
  'function execTransaction(address to, uint256 value, bytes data, uint8 operation, uint256 safeTxGas, uint256 baseGas, uint256 gasPrice, address gasToken, address refundReceiver, bytes signatures)',
])
const timelockAbi = parseAbi([
  'constructor(uint256 minDelay, address[] proposers, address[] executors, address admin)',
  'function schedule(address target, uint256 value, bytes data, bytes32 predecessor, bytes32 salt, uint256 delay)',
  'function execute(address target, uint256 value, bytes data, bytes32 predecessor, bytes32 salt)',
])

/** Two smart balances of two owners on one network, and a Safe with a deposit in the first. */
async function startTwoSmartBalances() {
  const node = await startNode({ chainId: 31337 })
  const { publicClient, testClient } = clientsOf(node)
  const walletOf = (account: Account) =>
    createWalletClient({ transport: localTransport(node.rpcUrl), account })
  const send = async (account: Account, to: Address, data: Hex) => {
    const hash = await walletOf(account).sendTransaction({ chain: null, to, data })
    const receipt = await publicClient.waitForTransactionReceipt({ hash })
    if (receipt.status !== 'success') throw new Error(`reverted: ${to} ${data}`)
  }
  const mint = (to: Address, amount: bigint) =>
    send(user, token.address, encodeFunctionData({ ...token, functionName: 'mint', args: [to, amount] }))

  const deploy = async (owner: Account) => {
    await mint(owner.address, target.liquidity)
    const wanted = { ...target, owner: owner.address }
    return (await deploySmartBalance(publicClient, walletOf(owner), wanted)).smartBalance
  }
  const [from, to] = [await deploy(oldOwner), await deploy(newOwner)]

  const { safe: account, initCall } = await safeOf(publicClient, user.address)
  await send(user, canonicalAddresses.safeProxyFactory, initCall)
  await mint(account, deposit)

  /** One transaction of the Safe; its owner is the sender, so no signature is needed. */
  const asAccount = (calls: readonly (readonly [Address, Hex])[]) => {
    const packed = calls.map(([target_, data]) =>
      encodePacked(
        ['uint8', 'address', 'uint256', 'uint256', 'bytes'],
        [0, target_, 0n, BigInt(size(data)), data],
      ),
    )
    const data = encodeFunctionData({ abi: multiSendAbi, functionName: 'multiSend', args: [concat(packed)] })
    const none = [0n, 0n, 0n, zeroAddress, zeroAddress] as const
    const approved = concat([pad(user.address), zeroHash, '0x01'])
    return send(
      user,
      account,
      encodeFunctionData({
        abi: safeTransactionAbi,
        args: [canonicalAddresses.multiSend, 0n, data, 1, ...none, approved],
      }),
    )
  }
  await asAccount(depositCalls(from))

  return {
    from,
    to,
    account,
    publicClient,
    testClient,
    send,
    asAccount,
    /** The account's deposit in the old and in the new one. */
    balances: () =>
      Promise.all(
        [from, to].map(async (address) => {
          const call = { ...contract(address), functionName: 'accounts', args: [account] } as const
          return (await publicClient.readContract(call))[0]
        }),
      ),
    /** Liquidity, gas deposit and, a day later, the stake. */
    async withdrawEverything() {
      const { address } = oldOwner
      const liquidity = await publicClient.readContract({ ...contract(from), functionName: 'liquidity' })
      await send(oldOwner, from, encode('withdrawLiquidity', [address, liquidity]))
      const call = { address: canonicalAddresses.entryPoint, abi: entryPointAbi } as const
      const gas = await publicClient.readContract({ ...call, functionName: 'balanceOf', args: [from] })
      await send(oldOwner, from, encode('withdrawGas', [address, gas]))
      await send(oldOwner, from, encode('unlockStake', []))
      await testClient.increaseTime({ seconds: day })
      await send(oldOwner, from, encode('withdrawStake', [address]))
    },
    /** OpenZeppelin's, of 24 hours. */
    async deployTimelock(proposer: Address): Promise<Address> {
      const { bytecode } = createRequire(new URL('../../onchain/package.json', import.meta.url))(
        '@openzeppelin/contracts/build/contracts/TimelockController.json',
      )
      const hash = await walletOf(oldOwner).deployContract({
        chain: null,
        abi: timelockAbi,
        bytecode,
        args: [BigInt(day), [proposer], [proposer], zeroAddress],
      })
      const { contractAddress } = await publicClient.waitForTransactionReceipt({ hash })
      if (!contractAddress) throw new TypeError('A deployment has an address')
      return getAddress(contractAddress)
    },
    async throughTimelock(timelock: Address, called: Address, data: Hex) {
      const call = [called, 0n, data, zeroHash, zeroHash] as const
      const abi = timelockAbi
      const schedule = { abi, functionName: 'schedule', args: [...call, BigInt(day)] } as const
      await send(oldOwner, timelock, encodeFunctionData(schedule))
      const execute = encodeFunctionData({ abi, functionName: 'execute', args: call })
      await expect(send(oldOwner, timelock, execute)).rejects.toThrow()
      await testClient.increaseTime({ seconds: day })
      await send(oldOwner, timelock, execute)
    },
    [Symbol.asyncDispose]: () => node.stop(),
  }
}

const target: DeploymentTarget = {
  owner: oldOwner.address,
  token: settlementTokenAddress,
  entryPoint: canonicalAddresses.entryPoint,
  safe4337Module: canonicalAddresses.safe4337Module,
  attestors: [attestor, accountAt(5), accountAt(6), accountAt(9)].map(({ address }) => address),
  threshold: 2,
  operators: [operator.address],
  settlers: [accountAt(8).address],
  pauser: accountAt(0).address,
  outflowCap: 5_000_000n,
  gasDeposit: parseEther('2'),
  stake: parseEther('0.5'),
  liquidity: 70_000_000n,
}

type Account = ReturnType<typeof privateKeyToAccount>

function accountAt(index: number): Account {
  const account = devAccounts[index]
  if (!account) throw new TypeError('There are ten accounts')
  return privateKeyToAccount(account.privateKey)
}
