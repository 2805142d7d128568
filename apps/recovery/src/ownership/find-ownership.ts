import { accountReads } from '@lanyard/accounts'
import { ownershipAbi, predictOwnershipAddress } from '@lanyard/onchain'
import {
  type Address,
  BaseError,
  HttpRequestError,
  isAddressEqual,
  type PublicClient,
  TimeoutError,
} from 'viem'
import type { RecoveryKit } from '../kit/recovery-kit.ts'

/**
 * Finds the account's Ownership module on one network: among its modules there, or, before its deployment, in its kit. The
 * module's address must follow from its code and from the contracts that it names (EIP-1014), so no other contract counts.
 *
 * @returns undefined if the account has no Ownership there
 */
export async function findOwnership(
  client: PublicClient,
  { account, deployment }: RecoveryKit,
  deployed: boolean,
): Promise<Address | undefined> {
  for (const module of deployed ? await modulesOf(client, account) : [deployment.ownership])
    if (module && (await isOwnership(client, module))) return module
  return undefined
}

async function modulesOf(client: PublicClient, account: Address): Promise<readonly Address[]> {
  const [modules] = await client.readContract(accountReads(account).modules)
  return modules
}

async function isOwnership(client: PublicClient, module: Address): Promise<boolean> {
  const contract = { address: module, abi: ownershipAbi } as const
  try {
    const [sessionKeys, smartBalance, sharedSigner, signerFactory, epochs] = await Promise.all([
      client.readContract({ ...contract, functionName: 'SESSION_KEYS' }),
      client.readContract({ ...contract, functionName: 'SMART_BALANCE' }),
      client.readContract({ ...contract, functionName: 'SHARED_SIGNER' }),
      client.readContract({ ...contract, functionName: 'SIGNER_FACTORY' }),
      client.readContract({ ...contract, functionName: 'EPOCHS' }),
    ])
    const own = predictOwnershipAddress({ sessionKeys, smartBalance, sharedSigner, signerFactory, epochs })
    return isAddressEqual(own, module)
  } catch (error) {
    if (error instanceof BaseError && error.walk(isOutage) !== null) throw error
    return false // a contract without these functions
  }
}

const isOutage = (cause: unknown) => cause instanceof HttpRequestError || cause instanceof TimeoutError
