import { type Devnet, devAccounts, localTransport } from '@lanyard/devnet'
import { devTokenAbi, smartBalanceAbi } from '@lanyard/onchain'
import { encodeAddSigner, type OrderSigner, signerId } from '@lanyard/smart-balance'
import { randomPrivateKey } from '@lanyard/testing'
import {
  type Address,
  createTestClient,
  createWalletClient,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  publicActions,
  walletActions,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { receiptOf } from '../receipt-of.ts'

const funder = privateKeyToAccount(devAccounts[7]?.privateKey ?? randomPrivateKey())

/** An address without an owner. */
export const payee: Address = '0x000000000000000000000000000000000000bEEF'

/** Local networks with the actions of a depositor. Amounts have 6 decimals. */
export function orderChains(devnet: Devnet, mode: 'anvil' | 'hardhat' = 'anvil') {
  const networks = new Map(
    devnet.networks.map((network) => [
      network.chainId,
      {
        ...network,
        scale: 10n ** BigInt(network.settlementToken.decimals - 6),
        chain: createTestClient({
          mode,
          transport: localTransport(network.rpcUrl),
          pollingInterval: 25,
          cacheTime: 0,
        })
          .extend(publicActions)
          .extend(walletActions),
      },
    ]),
  )
  const on = (chainId: number) => {
    const network = networks.get(chainId)
    if (network) return network
    throw new TypeError(`There is no network ${chainId}`)
  }

  async function mint(chainId: number, to: Address, amount: bigint) {
    const { chain, rpcUrl, settlementToken, scale } = on(chainId)
    const wallet = createWalletClient({ account: funder, transport: localTransport(rpcUrl) })
    const hash = await wallet.writeContract({
      chain: null,
      address: settlementToken.address,
      abi: devTokenAbi,
      functionName: 'mint',
      args: [to, amount * scale],
    })
    await receiptOf(chain, hash)
  }

  let callsAs = 0
  /** Calls a contract from an account without its signature, for set-up that is not under test. */
  async function callAs(chainId: number, account: Address, to: Address, data: Hex) {
    const { chain } = on(chainId)
    const [value, nonce] = await Promise.all([
      chain.getBalance({ address: account }),
      chain.getTransactionCount({ address: account }),
    ])
    await chain.impersonateAccount({ address: account })
    await chain.setBalance({ address: account, value: 10n ** 18n })
    // The nonce is reset below. A different gas limit keeps the transaction hash unique, so an old receipt is never
    // returned.
    const gas = 5_000_000n + BigInt(callsAs++)
    const hash = await chain.sendTransaction({ chain: null, account, to, data, gas })
    const { status } = await receiptOf(chain, hash)
    await chain.stopImpersonatingAccount({ address: account })
    await chain.setBalance({ address: account, value })
    // A contract cannot be deployed to an address with a nonce (EIP-684).
    await chain.setNonce({ address: account, nonce })
    if (status !== 'success') throw new Error(`call as ${account} failed on ${chainId}`)
  }

  /** Deposits for an account, pins its signer, and makes both final. */
  async function deposit(chainId: number, account: Address, amount: bigint, signer?: OrderSigner) {
    const { chain, rpcUrl, settlementToken, smartBalance, scale } = on(chainId)
    await mint(chainId, funder.address, amount)
    const wallet = createWalletClient({ account: funder, transport: localTransport(rpcUrl) })
    const approval = await wallet.writeContract({
      chain: null,
      address: settlementToken.address,
      abi: erc20Abi,
      functionName: 'approve',
      args: [smartBalance, amount * scale],
    })
    await receiptOf(chain, approval)
    const hash = await wallet.writeContract({
      chain: null,
      address: smartBalance,
      abi: smartBalanceAbi,
      functionName: 'depositFor',
      args: [account, amount],
    })
    await receiptOf(chain, hash)
    if (signer) {
      await callAs(chainId, account, smartBalance, encodeAddSigner(smartBalance, signerId(signer)).data)
    }
    await finalize(chainId)
  }

  /** Mines blocks until the current head is final. */
  const finalize = (chainId: number) => on(chainId).chain.mine({ blocks: 4 })

  const balanceOf = async (chainId: number, account: Address) =>
    on(chainId).chain.readContract({
      address: on(chainId).settlementToken.address,
      abi: erc20Abi,
      functionName: 'balanceOf',
      args: [account],
    })

  const depositOf = async (chainId: number, account: Address) => {
    const [balance] = await on(chainId).chain.readContract({
      address: on(chainId).smartBalance,
      abi: smartBalanceAbi,
      functionName: 'accounts',
      args: [account],
    })
    return balance
  }

  /** A transfer of the settlement token, in units with 6 decimals. */
  const transfer = (chainId: number, to: Address, amount: bigint) => ({
    targetContractAddress: on(chainId).settlementToken.address,
    value: '0',
    encodedData: encodeTransfer(to, amount * on(chainId).scale),
  })

  return { on, mint, callAs, deposit, finalize, balanceOf, depositOf, transfer }
}

const encodeTransfer = (to: Address, amount: bigint) =>
  encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, amount] })
