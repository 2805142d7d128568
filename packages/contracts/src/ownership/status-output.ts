import { z } from 'zod'
import { addressOutput } from '../primitives/address.ts'
import { decimalOutput } from '../primitives/amount.ts'
import { hexOutput } from '../primitives/hex.ts'
import { networkInteger } from '../primitives/network.ts'
import { guardianRequest } from '../recovery/status-output.ts'
import { transactionDetailOutput } from '../smart-account/transaction-detail.ts'

const recovery = z.object({
  hash: hexOutput.meta({ description: 'What the guardians signed.' }),
  readyAt: z.int().meta({ description: 'Unix seconds from which anyone can execute it.' }),
})

const networkStatus = z.object({
  network: networkInteger,
  status: z.enum(['up', 'down', 'unsupported']).meta({
    description: '`unsupported`: the network has no Ownership module. `down`: it did not answer.',
  }),
  deployed: z.boolean().optional(),
  enabled: z.boolean().optional().meta({
    description: 'Whether the account has the module there, or will have it once it is deployed.',
  }),
  transactionDetails: z.array(transactionDetailOutput).optional().meta({
    description: 'The calls that enable it, for a build on this network. Present if it is not enabled.',
  }),
  sequence: decimalOutput.optional(),
  head: hexOutput.optional().meta({
    description: 'Hash of everything applied. The same sequence with another head: the networks are split.',
  }),
  guardians: hexOutput.optional().meta({ description: 'Hash of the guardians in force. Absent: none.' }),
  recovery: recovery.optional(),
})

const changeStatus = z.object({
  sequence: decimalOutput,
  kind: hexOutput,
  data: hexOutput,
  signature: hexOutput,
  messageToSign: hexOutput,
  networks: z.array(
    z.object({
      network: networkInteger,
      state: z.enum(['pending', 'applied', 'final']).meta({
        description:
          '`pending`: whoever may sign there is as before. `applied`: in a block that a reorg can remove.',
      }),
      reason: z.enum(['NOT_ENABLED', 'NOT_SPONSORED', 'BUDGET_SPENT', 'WAITING', 'FAILED']).optional().meta({
        description:
          'Why it is pending. `NOT_ENABLED`: enable the module there. `NOT_SPONSORED`, `BUDGET_SPENT`: anyone may send the call. `WAITING`: for an earlier change. `FAILED`: it will be tried again.',
      }),
    }),
  ),
})

/** Where an account's owner changes stand. */
export const ownershipStatus = z
  .object({
    module: addressOutput.optional().meta({ description: 'The same on every network that has it.' }),
    split: z.boolean().meta({
      description: 'Two networks applied different changes of one sequence, so their owners may differ.',
    }),
    ownersDiffer: z.boolean().meta({
      description:
        'Two networks with equally many changes have other owners: one refused an owner as whom anyone could sign, or the account changed its owners by itself.',
    }),
    request: guardianRequest.optional().meta({
      description: 'What a login that is linked to the account asks its guardians for.',
    }),
    networks: z.array(networkStatus),
    changes: z.array(changeStatus).meta({
      description: 'The signed changes that this service knows, oldest first. Each can be applied by anyone.',
    }),
  })
  .meta({ id: 'OwnershipStatus' })
