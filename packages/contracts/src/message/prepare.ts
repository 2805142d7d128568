import { z } from 'zod'
import { withKey } from '../access.ts'
import { endpoint } from '../endpoint.ts'
import { ownerKind } from '../owner/owner.ts'
import { addressOutput } from '../primitives/address.ts'
import { hexOutput } from '../primitives/hex.ts'
import { network } from '../primitives/network.ts'
import { namedAccount } from '../smart-account/account-kind.ts'
import { accountMessage } from './account-message.ts'

export const prepare = endpoint({
  method: 'POST',
  path: '/smart-account/message/prepare',
  tag: 'Messages',
  bucket: 'reads',
  access: withKey,
  idempotency: 'none',
  maxBody: 128,
  summary: 'Prepare what an owner signs so that the account signs a message',
  description:
    'Send exactly one of `message`, `rawMessage` and `typedData`. An EOA signs `typedData` of the answer (`eth_signTypedData_v4`), or the 32 bytes of `messageToSign` (`personal_sign`). Recompute both first, as `signAccountMessage` of the client does. A signature is valid on one network. Nothing is stored.',
  body: z.object({ ...namedAccount, network, ...accountMessage.shape }),
  output: z.object({
    messageHash: hexOutput.meta({
      description: 'The hash that a verifier passes to `isValidSignature`: 32 bytes.',
    }),
    messageToSign: hexOutput.meta({
      description: 'The SafeMessage hash; `messageHash` for an EOA that is the account itself: 32 bytes.',
    }),
    typedData: z
      .object({
        domain: z.object({ chainId: z.int(), verifyingContract: addressOutput }),
        types: z.record(z.string(), z.array(z.object({ name: z.string(), type: z.string() }))),
        primaryType: z.literal('SafeMessage'),
        message: z.object({ message: hexOutput }),
      })
      .optional()
      .meta({
        description:
          'The SafeMessage as EIP-712 typed data. Absent for an EOA that is the account itself: it signs the message as it is, by `personal_sign` or `eth_signTypedData_v4`.',
      }),
    deployed: z.boolean(),
    owners: z
      .array(z.object({ address: addressOutput, kind: ownerKind }))
      .meta({ description: 'The owners that can sign for the account on this network.' }),
  }),
  errors: ['UNKNOWN_NETWORK', 'UNKNOWN_WALLET', 'NETWORK_FAILED', 'NETWORK_UNAVAILABLE'],
})
