import { type Address, BaseError, type PublicClient } from 'viem'
import { deterministicDeployer } from './addresses.ts'
import { DeploymentError } from './error.ts'
import type { DeploymentTarget } from './target.ts'

/** Creation code that stores 0 in transient storage (EIP-1153, Cancun) and returns no code. */
const storeTransiently = '0x600060005d60006000f3'
/** The same without the store. */
const storeNothing = '0x60006000f3'

/**
 * Rejects a network that lacks a prerequisite of SmartBalance, and names the remedy.
 *
 * @throws DeploymentError `UNSUPPORTED_NETWORK`
 */
export async function assertSupported(client: PublicClient, target: DeploymentTarget): Promise<void> {
  const required: [name: string, address: Address, remedy: string][] = [
    [
      'the deterministic deployer',
      deterministicDeployer,
      'Anyone can deploy it: send 0.01 of the native coin to 0x3fAB184622Dc19b6109349B94811493BF45362af, then the signed transaction of the project deterministic-deployment-proxy. If a chain rejects transactions without a chain id (EIP-155), only its operator can deploy it.',
    ],
    ['EntryPoint v0.7', target.entryPoint, 'Deploy it, or correct the entryPoint of this network.'],
    ['Safe4337Module 0.3.0', target.safe4337Module, 'Deploy the Safe contracts of this release first.'],
  ]
  await Promise.all([
    ...required.map(async ([name, address, remedy]) => {
      if ((await client.getCode({ address })) !== undefined) return
      throw new DeploymentError(
        'UNSUPPORTED_NETWORK',
        `This network does not have ${name} at ${address}. ${remedy}`,
      )
    }),
    assertTransientStorage(client),
  ])
}

async function assertTransientStorage(client: PublicClient): Promise<void> {
  try {
    await client.call({ data: storeTransiently })
  } catch (error) {
    if (!(error instanceof BaseError)) throw error
    // Throws again if the RPC failed and not the opcode.
    await client.call({ data: storeNothing })
    throw new DeploymentError(
      'UNSUPPORTED_NETWORK',
      'This network has no transient storage (EIP-1153, the Cancun hard fork), in which SmartBalance keeps orders.',
      { cause: error },
    )
  }
}
