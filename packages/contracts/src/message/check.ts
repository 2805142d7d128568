import { z } from 'zod'
import { withKey } from '../access.ts'
import { endpoint } from '../endpoint.ts'
import { hex } from '../primitives/hex.ts'
import { network } from '../primitives/network.ts'
import { namedAccount } from '../smart-account/account-kind.ts'
import { accountMessage } from './account-message.ts'

export const check = endpoint({
  method: 'POST',
  path: '/smart-account/message/check',
  tag: 'Messages',
  bucket: 'reads',
  access: withKey,
  scope: 'read',
  idempotency: 'none',
  maxBody: 128,
  summary: "Whether a signature over a message is the account's",
  description:
    'Asks the account on its network, as an ERC-6492 verifier does. After deployment both forms of signature are valid. Before it, only the wrapped form is.',
  body: z.object({ ...namedAccount, network, ...accountMessage.shape, signature: hex }),
  output: z.object({ valid: z.boolean() }),
  errors: ['UNKNOWN_NETWORK', 'UNKNOWN_WALLET', 'NETWORK_FAILED', 'NETWORK_UNAVAILABLE'],
})
