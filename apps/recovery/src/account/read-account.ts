import { accountReads, eoaOf, isEoaCode } from '@lanyard/accounts'
import type { Address, PublicClient } from 'viem'
import type { RecoveryKit } from '../kit/recovery-kit.ts'
import { RecoveryError } from '../recovery-error.ts'

/** Who may act for the account on one network. */
export interface AccountState {
  readonly deployed: boolean
  /** EOAs among the owners, including those that have delegated. */
  readonly eoas: readonly Address[]
  /** Contracts among the owners: passkey signers, and modules that resemble them. */
  readonly contracts: readonly Address[]
  /** The Safe's own counter. */
  readonly nonce: bigint
}

/**
 * Reads who owns the account on this network. If it is not deployed there, the owner is the kit's first
 * owner.
 *
 * @throws RecoveryError THRESHOLD
 */
export async function readAccount(
  client: PublicClient,
  { account, owner, deployment }: RecoveryKit,
): Promise<AccountState> {
  if ((await client.getCode({ address: account })) === undefined) {
    const eoa = eoaOf(owner)
    const owners = eoa ? { eoas: [eoa], contracts: [] } : { eoas: [], contracts: [deployment.sharedSigner] }
    return { deployed: false, nonce: 0n, ...owners }
  }
  const reads = accountReads(account)
  const [owners, threshold, nonce] = await Promise.all([
    client.readContract(reads.owners),
    client.readContract(reads.threshold),
    client.readContract(reads.nonce),
  ])
  if (threshold !== 1n) {
    throw new RecoveryError(
      'THRESHOLD',
      `${threshold} owners have to sign together here; use a Safe tool for that.`,
    )
  }
  const codes = await Promise.all(owners.map((address) => client.getCode({ address })))
  const isEoa = (index: number) => isEoaCode(codes[index])
  return {
    deployed: true,
    nonce,
    eoas: owners.filter((_, index) => isEoa(index)),
    contracts: owners.filter((_, index) => !isEoa(index)),
  }
}
