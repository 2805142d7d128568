import { z } from 'zod'
import { withKey } from '../access.ts'
import { endpoint } from '../endpoint.ts'
import { address, addressOutput } from '../primitives/address.ts'
import { decimalOutput } from '../primitives/amount.ts'
import { hex, hexOutput } from '../primitives/hex.ts'
import { networkInteger } from '../primitives/network.ts'
import { eoaWallet } from './wallet.ts'

const problem = z.object({
  part: z.enum(['code', 'singleton', 'owners', 'threshold', 'module', 'handler', 'guard']),
  address: addressOutput.optional().meta({ description: 'The contract or owner that is in the way.' }),
  message: z.string(),
})

/** A call of the account to itself. */
const call = z.object({ to: addressOutput, value: decimalOutput, data: hexOutput })

const networkState = z
  .object({
    network: networkInteger,
    state: z.enum(['ready', 'incomplete', 'unsupported', 'absent', 'down']).meta({
      description:
        '`ready`: it can be used there now. `incomplete`: after `transaction`. `unsupported`: see `problems`. `absent`: there is no contract at the address; send nothing to it on this network. `down`: the network, or one of its two RPCs, did not answer.',
    }),
    version: z.string().optional(),
    owners: z.array(addressOutput).optional(),
    problems: z.array(problem).optional(),
    transaction: z
      .object({
        calls: z.array(call).meta({ description: 'What it does, for tools that build Safe transactions.' }),
        to: addressOutput,
        value: decimalOutput,
        data: hexOutput,
        operation: z.literal([0, 1]).meta({ description: '1: `to` is MultiSendCallOnly, delegate-called.' }),
        nonce: decimalOutput.meta({ description: "The account's own counter." }),
        safeTxHash: hexOutput.meta({ description: 'What an owner signs: the hash of this SafeTx.' }),
      })
      .optional()
      .meta({
        description:
          'The one Safe transaction that enables Safe4337Module and makes it the fallback handler. Gas fields and the refund are 0. An owner signs it with any tool, and anyone sends `execTransaction`.',
      }),
  })
  .meta({ id: 'ImportedOnNetwork' })

export const importSafe = endpoint({
  method: 'POST',
  path: '/smart-account/import',
  tag: 'EOA smart accounts',
  bucket: 'builds',
  access: withKey,
  idempotency: 'keyed',
  summary: 'Use an existing Safe',
  description:
    'Reads a Safe 1.4.1 or 1.5.0 of any maker on every network, at one block and from two RPCs. Where its module for ERC-4337 is missing, the answer has the transaction that adds it; call again when it is mined. As soon as one network is `ready` the account is registered and `wallet` is there. Its owners sign in and act as those of any other account. Sends nothing to a chain.',
  body: z.object({
    walletAddress: address.meta({ description: 'The Safe.' }),
    consents: z
      .array(
        z.object({
          owner: address,
          signature: hex.meta({ description: '65 bytes: `personal_sign` of `ownerConsentText`.' }),
        }),
      )
      .max(16)
      .optional()
      .meta({
        description:
          'Needed of each owner without code that has never sent a transaction: it shows that there is a key.',
      }),
  }),
  output: z.object({
    username: z.string().optional().meta({
      description:
        "Absent with `wallet`, and for a name with an @ without a secret key or the user's own token.",
    }),
    wallet: eoaWallet.optional().meta({ description: 'Absent until one network is `ready`.' }),
    networks: z.array(networkState),
  }),
  errors: ['UNSUPPORTED_SAFE', 'INVALID_SIGNATURE', 'NETWORK_UNAVAILABLE'],
})
