import { z } from 'zod'
import { withKey } from '../access.ts'
import { endpoint } from '../endpoint.ts'
import { addressOutput } from '../primitives/address.ts'
import { decimalOutput } from '../primitives/amount.ts'
import { hexOutput } from '../primitives/hex.ts'
import { accountName } from '../smart-account/account-name.ts'
import { addedOwners, givenGuardians } from './fields.ts'
import { guardianSetOutput, namedOwnerOutput } from './status-output.ts'

const field = z.object({ name: z.string(), type: z.string() })

export const prepare = endpoint({
  method: 'POST',
  path: '/smart-account/recovery/prepare',
  tag: 'Owners',
  bucket: 'builds',
  access: withKey,
  idempotency: 'none',
  summary: 'Prepare a recovery by guardians: what each of them signs once for all networks',
  description:
    'A guardian that is an EOA signs `typedData`. A passkey signs `messageToSign` once, too (`encodePasskeySignature`); another contract signs it by ERC-1271, a Safe for each network. Recompute both first with `verifyRecovery`. Nothing is stored.',
  body: z.object({ account: accountName, newOwners: addedOwners, guardians: givenGuardians }),
  output: z.object({
    account: addressOutput,
    username: z.string().optional(),
    module: addressOutput,
    sequence: decimalOutput,
    number: decimalOutput.meta({
      description:
        'One above the highest that a network has seen at this sequence, or that was signed here; that of the same recovery if enough guardians can still sign it together.',
    }),
    newOwners: z.array(namedOwnerOutput),
    messageToSign: hexOutput.meta({ description: 'The hash of `typedData`: 32 bytes.' }),
    typedData: z
      .object({
        domain: z.object({ name: z.string(), version: z.string(), verifyingContract: addressOutput }),
        types: z.object({ Recovery: z.array(field), Owner: z.array(field) }),
        primaryType: z.literal('Recovery'),
        message: z.object({
          account: addressOutput,
          sequence: decimalOutput,
          number: decimalOutput,
          newOwners: z.array(z.object({ kind: z.int(), key: hexOutput })),
          newThreshold: decimalOutput,
        }),
      })
      .meta({ description: 'EIP-712, without a chain id.' }),
    guardians: guardianSetOutput,
  }),
  errors: ['UNKNOWN_WALLET', 'NO_OWNERSHIP', 'NO_GUARDIANS', 'UNKNOWN_GUARDIANS', 'NETWORK_UNAVAILABLE'],
})
