import { LanyardError } from '@lanyard/contracts'
import type { AnyWallet } from '../../accounts/accounts/wallet.ts'
import { isDelegated } from '../../accounts/eip7702/delegated-wallet.ts'
import type { OperationSigner } from '../operation-signer.ts'
import { delegatedEoaSigner } from './delegated-eoa.ts'
import { eoa } from './eoa.ts'
import { passkey } from './passkey.ts'
import type { Signer } from './signer.ts'

/** The kinds of owners that an account can have. */
export const ownerSigners: readonly Signer[] = [eoa, passkey]

/** Builds for the owner that the account was created with. */
export function firstOwnerSigner(wallet: AnyWallet): OperationSigner {
  if (isDelegated(wallet)) return delegatedEoaSigner
  for (const { ofFirstOwner } of ownerSigners) {
    const signer = ofFirstOwner?.(wallet)
    if (signer) return signer
  }
  throw new LanyardError('INTERNAL', { cause: `an owner of unknown kind: ${wallet.owner.kind}` })
}
