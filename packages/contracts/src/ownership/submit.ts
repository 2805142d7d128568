import { z } from 'zod'
import { withKey } from '../access.ts'
import { endpoint } from '../endpoint.ts'
import { walletAddress } from '../smart-account/wallet.ts'
import { changeFields, sequence, shortHex } from './change.ts'
import { ownershipStatus } from './status-output.ts'

export const submit = endpoint({
  method: 'POST',
  path: '/smart-account/ownership/submit',
  tag: 'Owners',
  bucket: 'builds',
  access: withKey,
  idempotency: 'keyed',
  summary: 'Submit a signed change of owners or guardians, to be applied on all networks',
  description:
    'The service keeps the change and applies it on each network, in the order of sequences, through its relayer and within a budget; where the account is not deployed but was created with the module, together with its deployment. It continues until each network has it, networks that are added later included. The change is accepted if it would succeed on at least one network now. The answer shows the progress, as `GET /smart-account/ownership` does later.',
  body: z.object({
    walletAddress,
    sequence,
    ...changeFields,
    signature: shortHex.meta({
      description:
        '65 bytes of an EOA, or a contract signature in Safe’s encoding (`encodeWebAuthnSignature` of `@lanyard/accounts`).',
    }),
  }),
  output: ownershipStatus,
  errors: [
    'UNKNOWN_WALLET',
    'NO_OWNERSHIP',
    'OTHER_CHANGE_SIGNED',
    'INVALID_SIGNATURE',
    'NETWORK_UNAVAILABLE',
  ],
})
