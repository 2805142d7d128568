import { z } from 'zod'
import { withKey } from '../access.ts'
import { endpoint } from '../endpoint.ts'
import { address } from '../primitives/address.ts'
import { accountKind } from './account-kind.ts'
import { eoaWallet } from './wallet.ts'

export const create = endpoint({
  method: 'POST',
  path: '/smart-account/create',
  tag: 'EOA smart accounts',
  bucket: 'reads',
  access: withKey,
  idempotency: 'keyed',
  summary: 'Create or fetch the smart account of an EOA',
  description:
    'Computes the address and sends nothing to a chain. The first operation on a network deploys the account there. The same EOA always gets the same account of a kind.',
  body: z.object({
    eoaAddress: address,
    type: accountKind.optional().meta({
      description:
        '`safe` (default): a contract that the EOA owns. `eip7702`: the EOA itself, which delegates to a contract. Its first operation on a network needs a signed authorisation.',
    }),
  }),
  output: z.object({
    username: z.string().meta({
      description:
        "The account's address instead of a name with an @, which may be an e-mail address. Only secret keys and the user's own token get that one.",
    }),
    wallet: eoaWallet,
  }),
  errors: ['UNSUPPORTED_ACCOUNT_KIND'],
})
