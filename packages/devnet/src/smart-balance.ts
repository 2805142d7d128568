import {
  type DeploymentTarget,
  deploySmartBalance,
  devTokenAbi,
  predictAttestorSetAddress,
  predictSmartBalanceAddress,
} from '@lanyard/onchain'
import { type Address, createPublicClient, createWalletClient, parseEther } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { canonicalAddresses } from './canonical-addresses.ts'
import { devRoles } from './dev-accounts.ts'
import { localTransport } from './local-transport.ts'
import type { SetupClient } from './place-contract.ts'
import { settlementTokenAddress } from './settlement-token.ts'

/** Every role holder can send transactions. */
const nativeBalance = parseEther('10000')

/** The initial state of the local networks, with ample amounts. */
const target: DeploymentTarget = {
  owner: devRoles.owner.address,
  token: settlementTokenAddress,
  entryPoint: canonicalAddresses.entryPoint,
  safe4337Module: canonicalAddresses.safe4337Module,
  attestors: devRoles.attestors.map(({ address }) => address),
  threshold: 2,
  operators: [devRoles.operator.address],
  settlers: [devRoles.settler.address],
  pauser: devRoles.pauser.address,
  outflowCap: 1_000_000_000_000n,
  gasDeposit: parseEther('100'),
  stake: parseEther('1'),
  liquidity: 1_000_000_000_000n,
}

/** SmartBalance, the same on every local network. */
export const smartBalanceAddress: Address = predictSmartBalanceAddress(target.owner)

/** The AttestorSet of SmartBalance: 2 of the attestors in {@link devRoles}. */
export const verifierAddress: Address = predictAttestorSetAddress(target)

/** Deploys SmartBalance in the same way as on real networks. The settlement token already exists. */
export async function placeSmartBalance(client: SetupClient, rpcUrl: string): Promise<void> {
  const { owner, operator, settler, pauser, topUp, attestors } = devRoles
  for (const { address } of [owner, operator, settler, pauser, topUp, ...attestors]) {
    await client.setBalance({ address, value: nativeBalance })
  }
  const transport = localTransport(rpcUrl)
  const account = privateKeyToAccount(owner.privateKey)
  const walletClient = createWalletClient({ transport, account })
  const decimals = await client.readContract({
    address: settlementTokenAddress,
    abi: devTokenAbi,
    functionName: 'decimals',
  })
  const hash = await walletClient.writeContract({
    chain: null,
    address: settlementTokenAddress,
    abi: devTokenAbi,
    functionName: 'mint',
    args: [owner.address, target.liquidity * 10n ** BigInt(decimals - 6)],
  })
  await client.waitForTransactionReceipt({ hash })
  await deploySmartBalance(
    createPublicClient({ transport, pollingInterval: 10, cacheTime: 0 }),
    walletClient,
    target,
  )
  // Restores the owner's initial balance, which paid for gas and stake.
  await client.setBalance({ address: owner.address, value: nativeBalance })
}
