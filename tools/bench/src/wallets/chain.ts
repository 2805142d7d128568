import { computeAccountAddress, encodeInitCode } from '@lanyard/accounts'
import { devAccounts, localTransport } from '@lanyard/devnet'
import {
  type Address,
  createTestClient,
  type Hex,
  keccak256,
  type PrivateKeyAccount,
  publicActions,
  size,
  slice,
  stringToHex,
  walletActions,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { foundry } from 'viem/chains'

/** The address of an EOA's Safe. */
export const accountOf = (owner: PrivateKeyAccount): Address =>
  computeAccountAddress({ kind: 'eoa', address: owner.address })

/** PUBLIC: anvil's own keys. */
export function devKey(index: number): Hex {
  const account = devAccounts.at(index)
  if (!account) throw new TypeError(`There is no dev account ${index}`)
  return account.privateKey
}

export const devAccount = (index: number) => privateKeyToAccount(devKey(index))

/**
 * A client that prepares a local network for a bench.
 *
 * @param account - default: one that neither relayers nor executors use
 */
export function createChain(rpcUrl: string, account = devAccount(5)) {
  return createTestClient({
    ...{ mode: 'anvil', account },
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

/** Keys used only by the benchmarks. */
const ownerAt = (index: number): PrivateKeyAccount =>
  privateKeyToAccount(keccak256(stringToHex(`Lanyard bench: owner ${index}`)))

export const ownersFrom = (first: number, count: number): readonly PrivateKeyAccount[] =>
  Array.from({ length: count }, (_, index) => ownerAt(first + index))
