import { delegatedDeployment, delegationInitCode } from '@lanyard/accounts'
import { LanyardError } from '@lanyard/contracts'
import { isAddressEqual } from 'viem'
import type { SentBy } from '../accounts/kind.ts'

const invalidMember = (path: string, message: string) =>
  new LanyardError('INVALID_INPUT', { message: `${path}: ${message}`, issues: [{ path, message }] })

/**
 * Refuses an operation that does not delegate its EOA to this service's contract. The EOA needs no registration, since its
 * address names its key: the operation's signature shows that the owner of the key has sent it.
 *
 * @throws INVALID_INPUT
 */
export function requireOwnDelegation({ initCode, authorization }: SentBy): void {
  if (authorization && initCode === '0x') {
    const message = 'Expected 0x7702 beside eip7702Auth, so that the signature holds for this delegate only'
    throw invalidMember('factory', message)
  }
  if (authorization && !isAddressEqual(authorization.address, delegatedDeployment.delegate)) {
    const message = `Expected an authorisation for ${delegatedDeployment.delegate}`
    throw invalidMember('eip7702Auth.address', message)
  }
  if (initCode !== '0x' && initCode !== delegationInitCode) {
    const message = 'An EOA is not deployed: expected 0x7702, or no factory once the EOA is delegated'
    throw invalidMember('factory', message)
  }
}
