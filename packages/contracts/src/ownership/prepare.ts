import { z } from 'zod'
import { withKey } from '../access.ts'
import { endpoint } from '../endpoint.ts'
import { addressOutput } from '../primitives/address.ts'
import { decimalOutput } from '../primitives/amount.ts'
import { hexOutput } from '../primitives/hex.ts'
import { walletAddress } from '../smart-account/wallet.ts'
import { requestedChange } from './change.ts'

export const prepare = endpoint({
  method: 'POST',
  path: '/smart-account/ownership/prepare',
  tag: 'Owners',
  bucket: 'builds',
  access: withKey,
  idempotency: 'none',
  summary: 'Prepare a change of owners or guardians that is signed once for all networks',
  description:
    'An owner signs `messageToSign`: a passkey as its challenge, an EOA as EIP-712 (`ownerChangeTypedData` of `@lanyard/accounts`), raw or by personal_sign. It has no expiry and holds on every network, later ones included. Recompute it first with `verifyOwnerChange`. Nothing is stored. An added address with code must behave alike on every network; one without must have a key (`signature`).',
  body: z.object({ walletAddress, change: requestedChange }),
  output: z.object({
    module: addressOutput,
    sequence: decimalOutput,
    kind: hexOutput,
    data: hexOutput,
    messageToSign: hexOutput.meta({ description: 'The hash of the message: 32 bytes.' }),
  }),
  errors: ['UNKNOWN_WALLET', 'NO_OWNERSHIP', 'NETWORK_UNAVAILABLE'],
})
