import { z } from 'zod'
import { withKey } from '../access.ts'
import { endpoint } from '../endpoint.ts'
import { accountMessage } from '../message/account-message.ts'
import { messageSignature } from '../message/message-signature.ts'
import { network } from '../primitives/network.ts'
import { username } from '../primitives/username.ts'
import { assertion } from './assertion.ts'

export const messageVerify = endpoint({
  method: 'POST',
  path: '/v3/webauthn/message/verify',
  tag: 'Messages',
  bucket: 'ceremonies',
  access: withKey,
  idempotency: 'none',
  maxBody: 128,
  summary: "Make the account's signature from a passkey's assertion",
  description:
    'Send the message again, since the challenge is recomputed from it. The same assertion always gets the same signature. Nothing is stored.',
  query: z.object({ username }),
  body: z.object({ ...assertion.shape, network, ...accountMessage.shape }),
  output: messageSignature,
  errors: [
    'UNKNOWN_NETWORK',
    'UNKNOWN_USER',
    'VERIFICATION_FAILED',
    'INVALID_SIGNATURE',
    'OWNER_NOT_HERE',
    'NETWORK_FAILED',
    'NETWORK_UNAVAILABLE',
  ],
})
