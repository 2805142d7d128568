import { predictTokenPaymasterAddress, tokenPaymasterDeployment } from '@lanyard/onchain'
import { type Address, encodeFunctionData, parseAbi, parseEther, slice } from 'viem'
import { canonicalAddresses } from './canonical-addresses.ts'
import { deployer, placeContract, type SetupClient } from './place-contract.ts'
import { smartBalanceAddress } from './smart-balance.ts'

/** TokenPaymaster for EntryPoint v0.7 and v0.8, the same on every local network. */
const deployments = [canonicalAddresses.entryPoint, canonicalAddresses.entryPoint08].map((entryPoint) => ({
  entryPoint,
  smartBalance: smartBalanceAddress,
}))

export const tokenPaymasterAddresses: readonly Address[] = deployments.map(predictTokenPaymasterAddress)

/** The deposit of each in its EntryPoint. */
const gasDeposit = parseEther('10')

const depositAbi = parseAbi(['function depositTo(address account) payable'])

/** Places both with the deterministic deployment proxy, as on real networks, and pays their deposits. */
export async function placeTokenPaymasters(client: SetupClient): Promise<void> {
  for (const deployment of deployments) {
    const address = predictTokenPaymasterAddress(deployment)
    const code = tokenPaymasterDeployment(deployment)
    await placeContract(client, {
      address,
      placement: {
        kind: 'create2',
        factory: canonicalAddresses.deterministicDeployer,
        salt: slice(code, 0, 32),
        initCode: slice(code, 32),
      },
    })
    const hash = await client.sendTransaction({
      account: deployer,
      chain: null,
      to: deployment.entryPoint,
      data: encodeFunctionData({ abi: depositAbi, functionName: 'depositTo', args: [address] }),
      value: gasDeposit,
    })
    await client.waitForTransactionReceipt({ hash })
  }
}
