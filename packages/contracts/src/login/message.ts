import { z } from 'zod'
import { withKey } from '../access.ts'
import { endpoint } from '../endpoint.ts'
import { address } from '../primitives/address.ts'
import { namedAccount } from '../smart-account/account-kind.ts'

export const message = endpoint({
  method: 'POST',
  path: '/login/message',
  tag: 'Owners',
  bucket: 'ceremonies',
  access: withKey,
  idempotency: 'none',
  summary: 'Start signing in with an EOA that owns the wallet',
  description:
    'Returns an ERC-4361 (Sign-In with Ethereum) message for `personal_sign`. It is valid for five minutes and one use.',
  body: z.object({
    ...namedAccount,
    eoaAddress: address.meta({
      description: 'Any owner of the wallet on any network: the first one, or one added later.',
    }),
  }),
  output: z.object({ message: z.string() }),
  errors: ['UNKNOWN_WALLET', 'UNKNOWN_OWNER', 'NETWORK_UNAVAILABLE'],
})
