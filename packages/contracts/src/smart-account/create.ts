import { z } from 'zod'
import { withKey } from '../access.ts'
import { endpoint } from '../endpoint.ts'
import { address } from '../primitives/address.ts'
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
    'Computes the address and sends nothing to a chain. The first operation on a network deploys the account there. The same EOA always gets the same account.',
  body: z.object({ eoaAddress: address }),
  output: z.object({ username: z.string(), wallet: eoaWallet }),
})
