import type { DelegatedDeployment, EoaOwner } from '@lanyard/accounts'
import { address } from '@lanyard/contracts'
import type { Address } from 'viem'
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

/** Reads the `deployment` column: a manipulated database must not change what the account runs. */
export const readStoredDelegation = (stored: unknown): DelegatedDeployment => storedDelegation.parse(stored)
