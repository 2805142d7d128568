import {
  type AccountDeployment,
  type AccountOwner,
  computeAccountAddress,
  safeDeployment,
} from '@lanyard/accounts'
import type { AccountRow } from '@lanyard/database'
import { safeAbi, safeWebAuthnSharedSignerAbi } from '@lanyard/onchain'
import { type Address, getAddress, type PublicClient } from 'viem'
import {
  fromStoredDeployment,
  toStoredDeployment,
} from '../../../domain/accounts/accounts/stored-deployment.ts'
import { toWallet } from '../../../domain/accounts/accounts/wallet.ts'
import type { RepairContext } from './context.ts'

/** The values that an account was created with: its address follows from them. */
export interface Initializer {
  readonly owner: AccountOwner
  readonly deployment: AccountDeployment
}

/** Head of the Safe's list of modules (ModuleManager.sol). */
const sentinel: Address = '0x0000000000000000000000000000000000000001'

/**
 * Searches an account's owners and modules on the chain for the values that produce its address. Nothing is
 * guessed: only values from which the address can be computed are returned.
 *
 * @returns undefined when the account is not deployed, or when its first owner or module has been removed
 * @throws NETWORK_UNAVAILABLE, NETWORK_FAILED
 */
export async function findInitializer(
  { network, final }: RepairContext,
  row: AccountRow,
): Promise<Initializer | undefined> {
  const address = getAddress(row.address)
  const { owners, modules } = await network.call((client) => readSafe(client, address, final.number))
  const stored = attempt(() => fromStoredDeployment(row.deployment))
  const deployments = [...(stored ? [stored] : []), safeDeployment].flatMap((deployment) => [
    deployment,
    ...modules.map((module) => ({ ...deployment, module })),
  ])
  const storedOwner = attempt(
    () => toWallet({ ...row, deployment: toStoredDeployment(safeDeployment) }).owner,
  )
  const candidates = [...(storedOwner ? [storedOwner] : []), ...owners]
  for (const deployment of deployments) {
    const owner = candidates.find(
      (candidate) => attempt(() => computeAccountAddress(candidate, deployment)) === address,
    )
    if (owner) return { owner, deployment }
  }
  return undefined
}

async function readSafe(
  client: PublicClient,
  address: Address,
  blockNumber: bigint,
): Promise<{ readonly owners: readonly AccountOwner[]; readonly modules: readonly Address[] }> {
  const code = await client.getCode({ address, blockNumber })
  if (code === undefined) return { owners: [], modules: [] }
  const contract = { address, abi: safeAbi, blockNumber } as const
  const [owners, [modules], { x, y, verifiers }] = await Promise.all([
    client.readContract({ ...contract, functionName: 'getOwners' }),
    client.readContract({ ...contract, functionName: 'getModulesPaginated', args: [sentinel, 20n] }),
    client.readContract({
      address: safeDeployment.sharedSigner,
      abi: safeWebAuthnSharedSignerAbi,
      functionName: 'getConfiguration',
      args: [address],
      blockNumber,
    }),
  ])
  // The shared signer keeps the key after it stops being an owner; for an account without a key there, it is
  // zero.
  const passkey: AccountOwner[] = x === 0n ? [] : [{ kind: 'passkey', x, y, verifiers }]
  return {
    owners: [...owners.map((owner) => ({ kind: 'eoa' as const, address: owner })), ...passkey],
    modules,
  }
}

/** undefined: the stored values are incomplete. */
function attempt<T>(compute: () => T): T | undefined {
  try {
    return compute()
  } catch {
    return undefined
  }
}
