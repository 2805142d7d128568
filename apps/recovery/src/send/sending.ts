import type { AccountState } from '../account/read-account.ts'
import type { Connection } from '../connect.ts'
import type { Holdings } from '../holdings/read-holdings.ts'
import type { RecoveryKit } from '../kit/recovery-kit.ts'
import type { OwnerSigner } from '../signers/owner-signer.ts'

/** The inputs of every way of sending. */
export interface Sending {
  readonly connection: Connection
  readonly kit: RecoveryKit
  readonly state: AccountState
  readonly holdings: Holdings
  readonly signer: OwnerSigner
}
