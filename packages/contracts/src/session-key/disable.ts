import { z } from 'zod'
import { withKey } from '../access.ts'
import { endpoint } from '../endpoint.ts'
import { network } from '../primitives/network.ts'
import { paymasterData } from '../smart-account/paymaster-data.ts'
import { walletAddress } from '../smart-account/wallet.ts'
import { planErrors, sessionPlan } from './plan.ts'
import { sessionKeyOrId } from './session-key.ts'

export const disable = endpoint({
  method: 'POST',
  path: '/smart-account/session-key/disable',
  tag: 'Session keys',
  bucket: 'builds',
  access: withKey,
  idempotency: 'keyed',
  summary: 'End the session of a key',
  description:
    "Returns the operation that revokes the session, for the owner to sign and submit. When the last session ends, the contract is removed from the account's owners and modules. Operations of the session that are in flight fail.",
  body: z.object({
    network,
    walletAddress,
    sessionKey: sessionKeyOrId,
    paymasterData: paymasterData
      .optional()
      .meta({ description: 'Who pays for this operation, as in `transaction/build`.' }),
  }),
  output: sessionPlan,
  errors: ['UNKNOWN_SESSION', ...planErrors],
})
