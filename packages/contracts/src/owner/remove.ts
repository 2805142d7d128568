import { z } from 'zod'
import { publicInPart } from '../access.ts'
import { endpoint } from '../endpoint.ts'
import { networkInteger } from '../primitives/network.ts'
import { ownerChange, ownerChangePlan } from './change.ts'

export const remove = endpoint({
  method: 'POST',
  path: '/smart-account/owner/remove',
  tag: 'Owners',
  bucket: 'builds',
  access: publicInPart,
  idempotency: 'keyed',
  summary: 'Plan the removal of an owner',
  description:
    'Returns the calls for each network where it is an owner, as `/smart-account/owner/add` does. With the owner, all sessions of the account end there, since the owner may have granted them. The last owner of a network cannot be removed. Where the account is not deployed, its first owner cannot be removed and still signs, even messages (ERC-6492). `stillSigns` names these networks. Add another owner there, which deploys the account, and then remove this one.',
  body: ownerChange,
  output: ownerChangePlan
    .extend({
      stillSigns: z.array(networkInteger).optional().meta({
        description:
          'Networks on which the account is not deployed and the removed owner was its first, so that it can still sign. They are `pending` without `transactionDetails`.',
      }),
    })
    .meta({ id: 'OwnerRemoval' }),
  errors: ['UNKNOWN_WALLET', 'UNKNOWN_OWNER', 'UNKNOWN_CREDENTIAL', 'LAST_OWNER'],
})
