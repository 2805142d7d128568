import { z } from 'zod'
import { withKey } from '../access.ts'
import { endpoint } from '../endpoint.ts'
import { accountMessage } from '../message/account-message.ts'
import { hexOutput } from '../primitives/hex.ts'
import { network } from '../primitives/network.ts'
import { username } from '../primitives/username.ts'
import { requestOptions } from './options.ts'

export const messageOptions = endpoint({
  method: 'POST',
  path: '/v3/webauthn/message/generate-options',
  tag: 'Messages',
  bucket: 'reads',
  access: withKey,
  idempotency: 'none',
  maxBody: 128,
  summary: "Start a passkey's signature over a message",
  description:
    'Send exactly one of `message`, `rawMessage` and `typedData`. The challenge is the SafeMessage hash of this message on this network: recompute it first, as `verifyMessageOptions` of the client does. Nothing is stored.',
  body: z.object({ username, network, ...accountMessage.shape }),
  output: z.object({
    ...requestOptions.shape,
    messageHash: hexOutput.meta({
      description: 'The hash that a verifier passes to `isValidSignature`: 32 bytes.',
    }),
    deployed: z.boolean(),
  }),
  errors: ['UNKNOWN_NETWORK', 'UNKNOWN_USER', 'OWNER_NOT_HERE', 'NETWORK_FAILED', 'NETWORK_UNAVAILABLE'],
})
