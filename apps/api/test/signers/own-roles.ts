import { canonicalAddresses, type Devnet, localTransport } from '@lanyard/devnet'
import { deploySmartBalance, devTokenAbi, predictSmartBalanceAddress } from '@lanyard/onchain'
import { randomPrivateKey } from '@lanyard/testing'
import { createTestClient, createWalletClient, type Hex, parseEther, publicActions } from 'viem'
import { privateKeyToAccount, privateKeyToAddress } from 'viem/accounts'

/** One key for each signing role of the service. */
interface OwnKeys {
  readonly relayer: Hex
  readonly operator: Hex
  readonly attestors: readonly [Hex, Hex]
  readonly settler: Hex
}

export const generateKeys = (): OwnKeys => ({
  relayer: randomPrivateKey(),
  operator: randomPrivateKey(),
  attestors: [randomPrivateKey(), randomPrivateKey()],
  settler: randomPrivateKey(),
})

/** Liquidity of the SmartBalance on one network, 6 decimals. */
const liquidity = 10_000_000_000n

/**
 * Deploys another SmartBalance on local networks with new keys. The keys of `devRoles` are unsuitable: they are in the
 * memory of every process that imports them.
 *
 * @returns the same networks with the new address
 */
export async function placeOwnRoles(devnet: Devnet, keys: OwnKeys): Promise<Devnet> {
  const owner = privateKeyToAccount(randomPrivateKey())
  const [operator, settler, relayer] = [keys.operator, keys.settler, keys.relayer].map((key) =>
    privateKeyToAddress(key),
  ) as [Hex, Hex, Hex] // one address per key
  const attestors = keys.attestors.map((key) => privateKeyToAddress(key))
  for (const { rpcUrl, settlementToken } of devnet.networks) {
    const transport = localTransport(rpcUrl)
    const chain = createTestClient({ mode: 'anvil', transport, pollingInterval: 25, cacheTime: 0 }).extend(
      publicActions,
    )
    for (const address of [owner.address, operator, settler, relayer, ...attestors]) {
      await chain.setBalance({ address, value: parseEther('1000') })
    }
    const wallet = createWalletClient({ transport, account: owner })
    const hash = await wallet.writeContract({
      chain: null,
      address: settlementToken.address,
      abi: devTokenAbi,
      functionName: 'mint',
      args: [owner.address, liquidity * 10n ** BigInt(settlementToken.decimals - 6)],
    })
    await chain.waitForTransactionReceipt({ hash })
    await deploySmartBalance(chain, wallet, {
      owner: owner.address,
      token: settlementToken.address,
      entryPoint: canonicalAddresses.entryPoint,
      safe4337Module: canonicalAddresses.safe4337Module,
      attestors,
      threshold: 1,
      operators: [operator],
      settlers: [settler],
      outflowCap: liquidity,
      gasDeposit: parseEther('10'),
      stake: parseEther('1'),
      liquidity,
    })
    await chain.mine({ blocks: 4 }) // liquidity counts when it is final
  }
  const smartBalance = predictSmartBalanceAddress(owner.address)
  return { ...devnet, networks: devnet.networks.map((network) => ({ ...network, smartBalance })) }
}
