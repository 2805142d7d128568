import { z } from 'zod'
import { withKey } from '../access.ts'
import { endpoint } from '../endpoint.ts'
import { hash, hex, hexOutput } from '../primitives/hex.ts'
import { network } from '../primitives/network.ts'
import { namedAccount } from './account-kind.ts'
import { signedAuthorization } from './authorization.ts'
import { submitErrors } from './operation-request.ts'
import { signMode } from './sign-mode.ts'

/** The response for a submitted operation. */
export const submission = z
  .object({
    userOpHash: hexOutput,
    txnHash: hexOutput,
    success: z.boolean().meta({ description: '`false`: it is included, but its calls reverted.' }),
  })
  .meta({ id: 'Submission' })

export const submit = endpoint({
  method: 'POST',
  path: '/smart-account/transaction/submit',
  tag: 'EOA smart accounts',
  bucket: 'builds',
  access: withKey,
  idempotency: 'keyed',
  maxBody: 256,
  summary: 'Submit the signature of a built operation and wait for its inclusion',
  description:
    'Submits the pending operation of this wallet for which the signature is valid. The same signature always gets the same operation. If it is not included in time, the answer is 504 with its hash, and the service continues to work on it.',
  body: z.object({
    signature: hex.meta({
      description:
        '65 bytes: personal_sign of the 32 bytes, a raw signature over the hash, or EIP-712. Or 77 bytes: validAfter and validUntil of the build (uint48 each), then the signature, as SDKs of Safe accounts make it. For a session key: 65 raw bytes over the hash, or 64 bytes of ECDSA on P-256 with SHA-256 over the 32 bytes, as WebCrypto signs. For an EOA that is the account itself: 65 raw bytes over the hash, or EIP-712.',
    }),
    ...namedAccount,
    authorization: signedAuthorization.optional().meta({
      description: "The account's signature over `authorization` of the build, if the build has one.",
    }),
    signatureType: signMode.optional(),
    userOpHash: hash.optional().meta({
      description:
        'The hash of the operation. Without it, the signature is compared with the builds that can still be signed. If it matches none, the rate limit counts as many builds as were compared.',
    }),
    userOp: z
      .looseObject({ nonce: z.string().regex(/^\d{1,78}$/, 'Expected a decimal string') })
      .optional()
      .meta({ description: 'With `network`: names the operation by the `userOp` that build returned.' }),
    network: network.optional(),
  }),
  output: submission,
  errors: [
    'UNKNOWN_NETWORK',
    'UNKNOWN_WALLET',
    'UNKNOWN_OPERATION',
    'SIGNATURE_OVER_TEXT',
    'SIGNATURE_COMPACT',
    'SIGNATURE_MALLEABLE',
    'UNSUPPORTED_SIGNATURE_TYPE',
    'SIGNATURE_BY_PERSONAL_SIGN',
    'INVALID_AUTHORIZATION',
    ...submitErrors,
  ],
})
