import { z } from 'zod'
import { withKey } from '../access.ts'
import { endpoint } from '../endpoint.ts'
import { hash, hex, hexOutput } from '../primitives/hex.ts'
import { network } from '../primitives/network.ts'
import { submitErrors } from './operation-request.ts'
import { signMode } from './sign-mode.ts'
import { walletAddress } from './wallet.ts'

/** The response for a submitted operation. */
export const submission = z
  .object({
    userOpHash: hexOutput,
    txnHash: hexOutput,
    success: z.boolean().meta({ description: '`false`: included, and its calls were reverted.' }),
  })
  .meta({ id: 'Submission' })

export const submit = endpoint({
  method: 'POST',
  path: '/smart-account/transaction/submit',
  tag: 'EOA smart accounts',
  bucket: 'builds',
  access: withKey,
  idempotency: 'keyed',
  summary: 'Submit the signature of a built operation and wait for its inclusion',
  description:
    'The operation is the pending one of this wallet for which the signature is valid. The same signature again answers the same operation. When it is not included in time the answer is 504 with its hash, and the service keeps working on it.',
  body: z.object({
    signature: hex.meta({
      description:
        '65 bytes: personal_sign of the 32 bytes, raw over the hash, or EIP-712; or 77 bytes, with validAfter and validUntil of the build (uint48 each) in front, as SDKs of Safe accounts make it. Of a session key: 65 bytes raw over the hash, or 64 bytes of ECDSA on P-256 with SHA-256 over the 32 bytes, as WebCrypto signs.',
    }),
    walletAddress,
    signatureType: signMode.optional(),
    userOpHash: hash.optional().meta({
      description:
        'Names the operation. Without it, the signature is compared with the builds that can still be signed, and one that fits nothing costs as many builds of the rate limit as were compared.',
    }),
    userOp: z
      .looseObject({ nonce: z.string().regex(/^\d{1,78}$/, 'Expected a decimal string') })
      .optional()
      .meta({ description: 'With `network`: names the operation by the `userOp` that build answered.' }),
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
    ...submitErrors,
  ],
})
