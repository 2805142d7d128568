import type { Hash } from 'viem'
import { getUserOperationHash as getUserOperationHashOf } from 'viem/account-abstraction'
import { type AccountDeployment, safeDeployment } from '../account/deployment.ts'
import { unpackUserOperation } from './unpackUserOperation.ts'
import type { UserOperation } from './userOperation.ts'

/**
 * The operation's identifier on chain and in every bundler: `EntryPoint.getUserOpHash`, v0.7. It does not
 * depend on the signature. The owner signs a different hash: `getSafeOperationHash`.
 *
 * @throws AccountsError as {@link unpackUserOperation}.
 */
export function getUserOperationHash(
  operation: UserOperation,
  {
    chainId,
    entryPoint = safeDeployment.entryPoint,
  }: { chainId: number } & Partial<Pick<AccountDeployment, 'entryPoint'>>,
): Hash {
  return getUserOperationHashOf({
    chainId,
    entryPointAddress: entryPoint,
    entryPointVersion: '0.7',
    userOperation: unpackUserOperation(operation),
  })
}
