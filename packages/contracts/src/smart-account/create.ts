import { z } from 'zod'
import { withKey } from '../access.ts'
import { endpoint } from '../endpoint.ts'
import { address } from '../primitives/address.ts'
import { eoaWallet } from './wallet.ts'

export const create = endpoint({
  method: 'POST',
  path: '/smart-account/create',
  tag: 'EOA smart accounts',
  bucket: 'calls',
  access: withKey,
  idempotency: 'keyed',
  summary: 'Create or fetch the smart account of an EOA',
  description:
    'Nothing is sent to a chain: the address is computed, and the first operation on a network deploys it there. The same EOA always answers the same account.',
  body: z.object({ eoaAddress: address }),
  output: z.object({ username: z.string(), wallet: eoaWallet }),
})
