import type { EoaOwner } from '@lanyard/accounts'
import { LanyardError } from '@lanyard/contracts'
import type { Wallet } from './wallet.ts'

/**
 * The endpoints of EOA accounts sign with the owner's EOA; a passkey signs in a ceremony.
 *
 * @throws UNSUPPORTED_SIGNATURE_TYPE naming the endpoints to use instead
 */
export function requireEoaOwner({ owner }: Wallet): EoaOwner {
  if (owner.kind === 'eoa') return owner
  throw new LanyardError('UNSUPPORTED_SIGNATURE_TYPE', {
    message:
      'A passkey owns this wallet. Use /v3/webauthn/transaction/generate-options and /v3/webauthn/transaction/verify.',
  })
}
