import { computeAccountAddress, encodeInitCode } from '@lanyard/accounts'
import { devAccounts, localTransport } from '@lanyard/devnet'
import {
  type Address,
  createTestClient,
  type PrivateKeyAccount,
  publicActions,
  size,
  slice,
  walletActions,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { foundry } from 'viem/chains'

/** The address of an EOA's Safe. */
export const accountOf = (owner: PrivateKeyAccount): Address =>
  computeAccountAddress({ kind: 'eoa', address: owner.address })

/** A client that prepares a local network for a bench. */
export function createChain(rpcUrl: string) {
  const [, , , , , sixth] = devAccounts
  if (!sixth) throw new TypeError('The devnet has ten accounts')
  return createTestClient({
    mode: 'anvil',
    account: privateKeyToAccount(sixth.privateKey), // neither relayers nor executors use it
    chain: foundry,
    transport: localTransport(rpcUrl),
    pollingInterval: 20,
    cacheTime: 0,
  })
    .extend(publicActions)
    .extend(walletActions)
}

export type Chain = ReturnType<typeof createChain>

export async function fund(chain: Chain, owners: readonly PrivateKeyAccount[]): Promise<void> {
  for (const owner of owners) await chain.setBalance({ address: accountOf(owner), value: 10n ** 18n })
}

/** Deploys the accounts through their factory, without EntryPoint. */
export async function deploy(chain: Chain, owners: readonly PrivateKeyAccount[]): Promise<void> {
  let nonce = await chain.getTransactionCount({ address: chain.account.address })
  for (const owner of owners) {
    const initCode = encodeInitCode({ kind: 'eoa', address: owner.address })
    const hash = await chain.sendTransaction({
      to: slice(initCode, 0, 20),
      data: slice(initCode, 20, size(initCode)),
      gas: 1_000_000n,
      nonce: nonce++,
    })
    await chain.waitForTransactionReceipt({ hash })
  }
}
