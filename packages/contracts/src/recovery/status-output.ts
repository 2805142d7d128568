import { z } from 'zod'
import { addressOutput } from '../primitives/address.ts'
import { decimalOutput } from '../primitives/amount.ts'
import { hexOutput } from '../primitives/hex.ts'
import { networkInteger } from '../primitives/network.ts'

/** Guardians in answers. */
export const guardianSetOutput = z
  .object({
    members: z.array(addressOutput),
    threshold: z.int().meta({ description: 'How many of them must sign.' }),
    delay: z.int().meta({ description: 'Seconds between the start of a recovery and its execution.' }),
  })
  .meta({ id: 'GuardianSet' })

/** An owner in answers, by its key. */
export const namedOwnerOutput = z.union([
  z.object({ address: addressOutput }),
  z.object({ x: hexOutput, y: hexOutput, verifiers: hexOutput }),
])

/** What somebody who is signed in at a provider asks the guardians of the linked account for. */
export const guardianRequest = z
  .object({
    newOwner: namedOwnerOutput,
    issuer: z.string().meta({ description: 'The provider whose login asked. A login proves no person.' }),
    requestedAt: z.iso.datetime(),
    expiresAt: z.iso.datetime().meta({ description: 'It is not shown any more after that.' }),
  })
  .meta({ id: 'GuardianRequest' })

const moment = (what: string) =>
  z
    .int()
    .optional()
    .meta({ description: `Unix seconds: ${what}.` })

const recoveryOnNetwork = z.object({
  network: networkInteger,
  state: z.enum(['collecting', 'pending', 'running', 'ready', 'executed', 'cancelled', 'unknown']).meta({
    description:
      '`collecting`: too few guardians signed. `pending`: it can be started. `running`: started; an owner can cancel it, and guardians can replace it. `ready`: the delay has passed; anyone can execute it. `unknown`: the network does not answer.',
  }),
  final: z.boolean().meta({ description: 'Whether no reorg can change `executed` or `cancelled`.' }),
  reason: z
    .enum([
      'NOT_ENABLED',
      'NO_GUARDIANS',
      'UNKNOWN_GUARDIANS',
      'WAITING',
      'NOT_SPONSORED',
      'BUDGET_SPENT',
      'FAILED',
    ])
    .optional()
    .meta({
      description:
        'What it waits for. `NOT_ENABLED`, `NO_GUARDIANS`: the account has no module or no guardians there. `UNKNOWN_GUARDIANS`: this service does not know them. `WAITING`: an earlier change is not applied there, or a later one replaces it. `NOT_SPONSORED`, `BUDGET_SPENT`: anyone may send the call. `FAILED`: it will be tried again.',
    }),
  threshold: z.int().optional(),
  signed: z.array(addressOutput).meta({ description: 'The guardians whose signature counts there.' }),
  startedAt: moment('the block that started it'),
  readyAt: moment('from when anyone can execute it'),
  executedAt: moment('when this service saw it executed'),
})

const recovery = z.object({
  sequence: decimalOutput,
  number: decimalOutput.meta({
    description:
      'Of the messages of guardians at this sequence. A higher one replaces what a lower one started.',
  }),
  messageToSign: hexOutput.meta({ description: 'The hash that guardians sign; it names the recovery.' }),
  newOwners: z.array(namedOwnerOutput),
  newThreshold: decimalOutput.meta({ description: 'How many of the new owners sign after it.' }),
  createdAt: z.iso.datetime(),
  networks: z.array(recoveryOnNetwork),
})

const cancellation = z.object({
  sequence: decimalOutput,
  number: decimalOutput.meta({
    description: 'Every recovery of the sequence up to this number is taken back.',
  }),
  messageToSign: hexOutput.meta({ description: 'The hash that guardians sign.' }),
  createdAt: z.iso.datetime(),
  signed: z.array(addressOutput),
  networks: z.array(z.object({ network: networkInteger, isDone: z.boolean() })),
})

const networkStatus = z.object({
  network: networkInteger,
  status: z.enum(['up', 'down', 'unsupported']).meta({
    description: '`unsupported`: the network has no Ownership module. `down`: it did not answer.',
  }),
  deployed: z.boolean().optional(),
  enabled: z.boolean().optional(),
  sequence: decimalOutput.optional(),
  number: decimalOutput.optional().meta({
    description: 'The highest number that guardians have started or taken back there at this sequence.',
  }),
  guardians: guardianSetOutput.optional().meta({
    description: 'The guardians in force, if there are any and this service knows them.',
  }),
  running: z
    .object({
      messageToSign: hexOutput,
      readyAt: z.int(),
      isKnown: z.boolean().meta({ description: 'Whether it is one of `recoveries`.' }),
    })
    .optional()
    .meta({ description: 'The recovery that runs there, whoever started it.' }),
})

/** Where an account's recoveries stand. */
export const recoveryStatus = z
  .object({
    account: addressOutput,
    username: z.string().optional(),
    module: addressOutput.optional(),
    guardians: guardianSetOutput.optional().meta({
      description: 'The guardians in force on the network with the most changes. Absent: none, or unknown.',
    }),
    networks: z.array(networkStatus),
    request: guardianRequest.optional().meta({
      description: 'What a login that is linked to the account asks its guardians for, until it ends.',
    }),
    recoveries: z.array(recovery).meta({
      description: 'The recoveries that a guardian signed at this service, newest first.',
    }),
    cancellations: z.array(cancellation).meta({
      description: 'What guardians signed at this service to take recoveries back, newest first.',
    }),
  })
  .meta({ id: 'RecoveryStatus' })
