import { z } from 'zod'
import { withKey } from '../access.ts'
import { endpoint } from '../endpoint.ts'
import { hex } from '../primitives/hex.ts'
import { network } from '../primitives/network.ts'
import { namedAccount } from '../smart-account/account-kind.ts'
import { accountMessage } from './account-message.ts'
import { messageSignature } from './message-signature.ts'

export const finish = endpoint({
  method: 'POST',
  path: '/smart-account/message/finish',
  tag: 'Messages',
  bucket: 'ceremonies',
  access: withKey,
  idempotency: 'none',
  maxBody: 128,
  summary: "Make the account's signature from the signature of an owner",
  description:
    'Returns the bytes that `isValidSignature` takes (ERC-1271), wrapped by ERC-6492 while the account is not deployed. The service verifies them on the network first. Nothing is stored.',
  body: z.object({
    ...namedAccount,
    network,
    ...accountMessage.shape,
    signature: hex.meta({
      description:
        '65 bytes, by an EOA that owns the account, over `typedData` or `messageToSign` of `prepare`; or the signature of a passkey that owns it, as `encodeWebAuthnSignature` of `@lanyard/accounts` encodes it.',
    }),
  }),
  output: messageSignature,
  errors: [
    'UNKNOWN_NETWORK',
    'UNKNOWN_WALLET',
    'INVALID_SIGNATURE',
    'SIGNATURE_OVER_MESSAGE',
    'SIGNATURE_OVER_TEXT',
    'SIGNATURE_COMPACT',
    'SIGNATURE_MALLEABLE',
    'SIGNATURE_BY_PERSONAL_SIGN',
    'OWNER_NOT_HERE',
    'NETWORK_FAILED',
    'NETWORK_UNAVAILABLE',
  ],
})
