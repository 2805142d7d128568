import {
  type AccountDeployment,
  type AccountOwner,
  computeAccountAddress,
  safeDeployment,
  safeWebAuthnSharedSignerAbi,
} from '@lanyard/accounts'
import type { AccountRow } from '@lanyard/database'
import { safeAbi } from '@lanyard/onchain'
import { type Address, getAddress, type PublicClient } from 'viem'
import {
  fromStoredDeployment,
  toStoredDeployment,
} from '../../../domain/accounts/accounts/stored-deployment.ts'
import { toWallet } from '../../../domain/accounts/accounts/wallet.ts'
import type { RepairContext } from './context.ts'

/** What an account was created with: its address follows from it. */
export interface Initializer {
  readonly owner: AccountOwner
  readonly deployment: AccountDeployment
}

/** Head of the Safe's list of modules (ModuleManager.sol). */
const sentinel: Address = '0x0000000000000000000000000000000000000001'

/**
 * Looks among an account's owners and modules on the chain for what gives its address. Nothing is guessed: only what
 * computes to the address is an answer.
 *
 * @returns undefined where the account is not deployed, or its first owner or module is gone
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
  // The shared signer keeps the key after it is no owner any more; of an account without one it is zero.
  const passkey: AccountOwner[] = x === 0n ? [] : [{ kind: 'passkey', x, y, verifiers }]
  return {
    owners: [...owners.map((owner) => ({ kind: 'eoa' as const, address: owner })), ...passkey],
    modules,
  }
}

/** undefined: what is stored is not whole. */
function attempt<T>(compute: () => T): T | undefined {
  try {
    return compute()
  } catch {
    return undefined
  }
}
