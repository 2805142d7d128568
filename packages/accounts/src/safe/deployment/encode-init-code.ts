import { safeProxyFactoryAbi } from '@lanyard/onchain'
import { encodeFunctionData, encodePacked, type Hex } from 'viem'
import type { AccountOwner } from '../../owner.ts'
import { type AccountDeployment, safeDeployment } from './deployment.ts'
import { encodeInitializer } from './encode-initializer.ts'

/**
 * A user operation's `initCode` that deploys the account: factory ‖ `createProxyWithNonce` call data.
 *
 * @throws AccountsError as {@link encodeInitializer}.
 */
export function encodeInitCode(owner: AccountOwner, deployment: AccountDeployment = safeDeployment): Hex {
  const createProxy = encodeFunctionData({
    abi: safeProxyFactoryAbi,
    functionName: 'createProxyWithNonce',
    args: [deployment.singleton, encodeInitializer(owner, deployment), deployment.saltNonce],
  })
  return encodePacked(['address', 'bytes'], [deployment.factory, createProxy])
}
