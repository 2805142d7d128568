import { z } from 'zod'
import { withKey } from '../access.ts'
import { endpoint } from '../endpoint.ts'
import { guardianKey } from '../guardian/fields.ts'
import { sequence, shortHex } from '../ownership/change.ts'
import { address } from '../primitives/address.ts'
import { network } from '../primitives/network.ts'
import { accountName } from '../smart-account/account-name.ts'
import { givenGuardians, newOwners, recoveryNumber } from './fields.ts'
import { recoveryStatus } from './status-output.ts'

export const sign = endpoint({
  method: 'POST',
  path: '/smart-account/recovery/sign',
  tag: 'Owners',
  bucket: 'builds',
  access: withKey,
  idempotency: 'keyed',
  summary: "Add a guardian's signature to a recovery",
  description:
    'The service keeps the signature if the guardian is one and it is valid. As soon as enough guardians signed, the service starts the recovery on each network through its relayer and within a budget, and executes it there after the delay. An owner cancels it by an owner change of kind `cancel`. Until enough signed, a later recovery that a guardian signs replaces the earlier one.',
  body: z.object({
    account: accountName,
    sequence,
    number: recoveryNumber,
    newOwners,
    guardian: address,
    signature: shortHex.meta({
      description:
        '65 bytes of an EOA, or what the contract of the guardian accepts (ERC-1271): `encodePasskeySignature` for a passkey.',
    }),
    network: network.optional().meta({
      description:
        'For a contract: the network on which the signature is valid. Absent: it is checked on each network. The signature of an EOA, and of a passkey, holds on all.',
    }),
    key: guardianKey,
    guardians: givenGuardians,
  }),
  output: recoveryStatus,
  errors: [
    'UNKNOWN_WALLET',
    'UNKNOWN_NETWORK',
    'NO_OWNERSHIP',
    'NO_GUARDIANS',
    'UNKNOWN_GUARDIANS',
    'NOT_A_GUARDIAN',
    'STALE_RECOVERY',
    'OTHER_RECOVERY_SIGNED',
    'INVALID_SIGNATURE',
    'NETWORK_UNAVAILABLE',
  ],
})
