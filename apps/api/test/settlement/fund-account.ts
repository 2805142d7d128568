import { devAccounts, localTransport, type RunningNetwork } from '@lanyard/devnet'
import { devTokenAbi, smartBalanceAbi } from '@lanyard/onchain'
import { encodeAddSigner, signerId } from '@lanyard/smart-balance'
import { randomPrivateKey } from '@lanyard/testing'
import { type Address, createTestClient, erc20Abi, publicActions, walletActions } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { receiptOf } from '../receipt-of.ts'

const funder = privateKeyToAccount(devAccounts[7]?.privateKey ?? randomPrivateKey())

export const chainOf = ({ rpcUrl }: Pick<RunningNetwork, 'rpcUrl'>) =>
  createTestClient({ mode: 'anvil', transport: localTransport(rpcUrl), pollingInterval: 50, cacheTime: 0 })
    .extend(publicActions)
    .extend(walletActions)

/** Deposits for an account and pins its owner directly on the chain. Amounts have 6 decimals. */
export async function fundAccount(network: RunningNetwork, account: Address, owner: Address, amount: bigint) {
  const { settlementToken, smartBalance } = network
  const chain = chainOf(network)
  const value = amount * 10n ** BigInt(settlementToken.decimals - 6)
  const common = { account: funder, chain: null } as const
  const hashes = [
    await chain.writeContract({
      ...common,
      address: settlementToken.address,
      abi: devTokenAbi,
      functionName: 'mint',
      args: [funder.address, value],
    }),
    await chain.writeContract({
      ...common,
      address: settlementToken.address,
      abi: erc20Abi,
      functionName: 'approve',
      args: [smartBalance, value],
    }),
    await chain.writeContract({
      ...common,
      address: smartBalance,
      abi: smartBalanceAbi,
      functionName: 'depositFor',
      args: [account, amount],
    }),
  ]
  await chain.impersonateAccount({ address: account })
  await chain.setBalance({ address: account, value: 10n ** 18n })
  const { data, to } = encodeAddSigner(smartBalance, signerId({ kind: 'eoa', address: owner }))
  hashes.push(await chain.sendTransaction({ account, chain: null, to, data }))
  for (const hash of hashes) await receiptOf(chain, hash)
  await chain.stopImpersonatingAccount({ address: account })
  // A contract cannot be deployed to an address with a nonce (EIP-684).
  await chain.setNonce({ address: account, nonce: 0 })
  await chain.setBalance({ address: account, value: 0n })
  await chain.mine({ blocks: 4 })
}
