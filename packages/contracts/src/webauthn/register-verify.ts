import { z } from 'zod'
import { withKey } from '../access.ts'
import { endpoint } from '../endpoint.ts'
import { addressOutput } from '../primitives/address.ts'
import { flag } from '../primitives/flag.ts'
import { newUsername } from '../primitives/username.ts'
import { networkAccount } from '../smart-account/wallet.ts'
import { registration } from './registration.ts'

export const registerVerify = endpoint({
  method: 'POST',
  path: '/v3/webauthn/register/verify',
  tag: 'Passkey accounts',
  bucket: 'ceremonies',
  access: withKey,
  idempotency: 'none',
  maxBody: 64,
  summary: 'Finish the registration: verify the attestation, create the account',
  description:
    'The account has the same address on every network. With `deployWallet=true`, the service deploys it at once on the networks where it pays for that.',
  query: z.object({
    username: newUsername,
    deployWallet: flag
      .optional()
      .meta({ type: 'boolean', description: 'Deploy at once, paid by the service within its budget.' }),
  }),
  body: registration,
  output: z.object({
    username: z.string(),
    wallet: z.object({ scw_address: addressOutput, multi_scw: z.array(networkAccount) }),
    token: z
      .string()
      .meta({ description: "JWT, valid for one hour. It gives access to the user's private data." }),
  }),
  errors: ['USERNAME_TAKEN', 'USERNAME_REFUSED', 'UNKNOWN_USER', 'VERIFICATION_FAILED', 'DEPLOYMENT_REFUSED'],
  statuses: 'fixed',
})
