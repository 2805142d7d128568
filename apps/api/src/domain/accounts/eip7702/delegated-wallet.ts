import { type DelegatedDeployment, delegatedDeployment, type EoaOwner } from '@lanyard/accounts'
import { address } from '@lanyard/contracts'
import type { AccountIdentity } from '@lanyard/database'
import { type Address, getAddress } from 'viem'
import { z } from 'zod'

/** An EOA that is an account itself: it runs the code of a contract (EIP-7702). */
export interface DelegatedWallet {
  /** Checksummed. */
  readonly address: Address
  /** The EOA at `address`. */
  readonly owner: EoaOwner
  readonly deployment: DelegatedDeployment
}

/** The `deployment` column of such an account. */
const storedDelegation = z.object({
  kind: z.literal('eip7702'),
  delegate: address,
  entryPoint: address,
}) satisfies z.ZodType<DelegatedDeployment>

/** The `deployment` column of a new account. */
export const storedDelegatedDeployment: unknown = delegatedDeployment

/** The account of a row; undefined if it is of another kind. */
export function toDelegatedWallet(
  row: Pick<AccountIdentity, 'address' | 'deployment'>,
): DelegatedWallet | undefined {
  const { success, data: deployment } = storedDelegation.safeParse(row.deployment)
  if (!success) return undefined
  const eoa = getAddress(row.address)
  return { address: eoa, owner: { kind: 'eoa', address: eoa }, deployment }
}

export const isDelegated = <W extends Pick<DelegatedWallet, 'deployment'>>(
  wallet: W | { readonly deployment: object },
): wallet is W => 'kind' in wallet.deployment
