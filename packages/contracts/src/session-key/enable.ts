import { z } from 'zod'
import { withKey } from '../access.ts'
import { endpoint } from '../endpoint.ts'
import { address } from '../primitives/address.ts'
import { network } from '../primitives/network.ts'
import { paymasterData } from '../smart-account/paymaster-data.ts'
import { walletAddress } from '../smart-account/wallet.ts'
import { permissions } from './permission.ts'
import { planErrors, sessionPlan } from './plan.ts'
import { sessionKey } from './session-key.ts'
import { unixSeconds } from './unix-seconds.ts'

export const enable = endpoint({
  method: 'POST',
  path: '/smart-account/session-key/enable',
  tag: 'Session keys',
  bucket: 'builds',
  access: withKey,
  idempotency: 'keyed',
  maxBody: 64,
  summary: 'Let a key act for an account within limits',
  description:
    'Returns the operation that grants the session, for the owner to sign and submit. The chain enforces the limits. An earlier session of the key ends. The contract is not audited.',
  body: z.object({
    network,
    walletAddress,
    sessionKey,
    validAfter: unixSeconds,
    validUntil: unixSeconds,
    permissions,
    paymaster: z
      .union([z.literal('sponsored'), address], 'Expected an address or "sponsored"')
      .optional()
      .meta({ description: "Who may pay for the session's operations. `sponsored`: this service." }),
    paymasterData: paymasterData
      .optional()
      .meta({ description: 'Who pays for this operation, as in `transaction/build`.' }),
  }),
  output: sessionPlan.extend({
    description: z.array(z.string()).meta({ description: "The session's permissions in plain words." }),
  }),
  errors: planErrors,
})
