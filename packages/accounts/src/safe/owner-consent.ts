import type { Address } from 'viem'

/**
 * What the key of an address signs (EIP-191, `personal_sign`) before it is added as an owner: it shows that the address is a key's,
 * and not that of a contract which is deployed later and behaves otherwise. It commits to nothing else: an owner of the account
 * still signs the change.
 */
export const ownerConsentText = ({
  account,
  owner,
}: {
  readonly account: Address
  readonly owner: Address
}) =>
  [
    'I hold the key of this address, and it may own this account.',
    '',
    `Key: ${owner}`,
    `Account: ${account}`,
  ].join('\n')
