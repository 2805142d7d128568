import { z } from 'zod'
import { ownerKind } from '../owner/owner.ts'
import { namedPasskey } from '../ownership/change.ts'
import { addressOutput } from '../primitives/address.ts'
import { hexOutput } from '../primitives/hex.ts'
import { networkInteger } from '../primitives/network.ts'

/** The passkey of a guardian: its signer contract has the same address everywhere, and is created when it is needed. */
export const guardianKey = namedPasskey.optional().meta({
  description:
    'The passkey whose signer contract the guardian is. The signature then counts on every network, whether the contract is created or not. Absent: a passkey that is registered at this service is found by itself.',
})

/** Why a guardian could not help on a network today. */
export const guardianProblems = [
  'ACCOUNT_ITSELF',
  'OWNER',
  'UNPROVEN',
  'NOT_THERE',
  'ACCEPTS_ANYTHING',
  'BURNS_GAS',
  'REPLACED',
  'NOT_ENABLED',
] as const

/** A guardian, and whether they could sign a recovery on each network today. */
export const guardianOutput = z
  .object({
    guardian: addressOutput.meta({
      description:
        'The address to name: of an account of this service, the signer contract of its passkey or its EOA, never the account itself.',
    }),
    kind: z.enum([...ownerKind.options, 'unknown']).meta({
      description:
        '`eoa`: a key that has signed. `unknown`: an address without code that has never shown a key, such as one of an exchange.',
    }),
    username: z.string().optional(),
    key: z.object({ x: hexOutput, y: hexOutput, verifiers: hexOutput }).optional().meta({
      description: 'The passkey, from which the address follows (`computeSignerAddress`).',
    }),
    provenAt: z.int().optional().meta({
      description: 'Unix seconds: when the guardian last showed that they can sign.',
    }),
    networks: z.array(
      z.object({
        network: networkInteger,
        status: z.enum(['up', 'down']),
        problem: z.enum(guardianProblems).optional().meta({
          description:
            'Absent: the guardian can sign there. `ACCOUNT_ITSELF`, `OWNER`: who loses the account loses this guardian as well. `UNPROVEN`: nothing shows that the address has a key. `NOT_THERE`: the contract does not exist on this network. `ACCEPTS_ANYTHING`: the contract accepts a signature that nobody made. `BURNS_GAS`: the contract uses all the gas that the module gives it. `REPLACED`: the passkey was removed, or owns its own account no more. `NOT_ENABLED`: the account has disabled the module there (only as found by the daily check).',
        }),
      }),
    ),
  })
  .meta({ id: 'Guardian' })
