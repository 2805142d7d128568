import { z } from 'zod'
import { reservingWithOrder } from '../access.ts'
import { endpoint } from '../endpoint.ts'
import { addressOutput } from '../primitives/address.ts'
import { hexOutput } from '../primitives/hex.ts'
import { sessionKey } from '../session-key/session-key.ts'
import { delegationErrors, namedAccount } from './account-kind.ts'
import { authorizationRequest } from './authorization.ts'
import { buildErrors, operationRequest, operationTerms } from './operation-request.ts'
import { signMode, signModes } from './sign-mode.ts'
import { userOp } from './user-op.ts'

/** An operation of EntryPoint v0.8 in the format of `eth_signTypedData_v4`; numbers are decimal strings. */
const operationTypedData = z.object({
  domain: z.object({
    name: z.literal('ERC4337'),
    version: z.literal('1'),
    chainId: z.int(),
    verifyingContract: addressOutput,
  }),
  types: z.record(z.string(), z.array(z.object({ name: z.string(), type: z.string() }))),
  primaryType: z.literal('PackedUserOperation'),
  message: z.record(z.string(), z.string()),
})

export const build = endpoint({
  method: 'POST',
  path: '/smart-account/transaction/build',
  tag: 'EOA smart accounts',
  bucket: 'builds',
  access: reservingWithOrder,
  idempotency: 'keyed',
  maxBody: 256,
  summary: 'Build a user operation to sign',
  description:
    'Simulates the calls, estimates gas and chooses a nonce. Sign the 32 bytes of `messageToSign` and submit the signature within ten minutes. Until then a build does not own its nonce: if several builds have the same one, the first to be signed gets it.',
  body: z.object({
    ...namedAccount,
    ...operationRequest.shape,
    signMode: signMode.optional(),
    sessionKey: sessionKey
      .optional()
      .meta({ description: 'With signMode `SESSION_KEY`: the key whose session acts.' }),
    replaceDelegate: z.boolean().optional().meta({
      description:
        'For an EOA that is the account itself and delegates to another contract: the operation also switches it to the contract of this service.',
    }),
  }),
  output: z.object({
    userOp,
    messageToSign: hexOutput.meta({
      description: 'The SafeOp hash; for an EOA that is the account itself, the userOpHash: 32 bytes.',
    }),
    signMode: z.enum(signModes),
    ...operationTerms.shape,
    typedData: operationTypedData.optional().meta({
      description:
        'For an EOA that is the account itself: `messageToSign` as EIP-712 typed data. `personal_sign` does not verify.',
    }),
    authorization: authorizationRequest.optional().meta({
      description:
        'Present while the EOA does not delegate to the contract of this service on the network: sign it, too, and submit both.',
    }),
  }),
  errors: [
    'UNKNOWN_WALLET',
    ...buildErrors,
    'NO_SESSION_KEYS',
    'SESSION_REFUSED',
    'UNKNOWN_SESSION',
    ...delegationErrors,
  ],
})
