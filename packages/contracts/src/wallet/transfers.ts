import { z } from 'zod'
import { withKey } from '../access.ts'
import { endpoint } from '../endpoint.ts'
import { addressOutput } from '../primitives/address.ts'
import { decimalOutput } from '../primitives/amount.ts'
import { hexOutput } from '../primitives/hex.ts'
import { namedAccount } from '../smart-account/account-kind.ts'

export const transfers = endpoint({
  method: 'GET',
  path: '/wallet/transfers',
  tag: 'Wallet',
  bucket: 'reads',
  access: withKey,
  scope: 'support',
  summary: "An account's recent incoming transfers",
  description:
    'Newest first, at most 100 for each network. What is final comes from the ledger of the account, which is complete from `fromBlock` on. Newer blocks are read from the network, in at most three seconds and 64 `eth_getLogs`: `unread` names blocks between them that took more. An account that is not proven yet (no passkey, and no signed operation) has no ledger; then only recent blocks are read, at most those of six hours. It covers settlement tokens, and native coins if the account is deployed (`SafeReceived`). Before deployment, and for a delegated EOA, native value leaves no log: the ledger shows it as `unexplained`.',
  query: z.object(namedAccount),
  output: z.object({
    networks: z.array(
      z.object({
        network: z.string(),
        available: z.boolean().meta({ description: '`false`: the network does not answer at the moment.' }),
        fromBlock: decimalOutput
          .nullable()
          .meta({ description: 'Transfers are complete from this block on, except for `unread`.' }),
        unread: z.object({ fromBlock: decimalOutput, toBlock: decimalOutput }).nullable().meta({
          description:
            'Blocks that were not read, because they would have taken more requests than a call may make.',
        }),
        transfers: z.array(
          z.object({
            txnHash: hexOutput,
            blockNumber: decimalOutput,
            at: z.iso.datetime().meta({ description: 'The time of the block.' }),
            from: addressOutput,
            token: addressOutput.nullable().meta({ description: "`null`: the network's native coin." }),
            amount: decimalOutput,
            pending: z.boolean().meta({ description: 'Its block may still be removed from the chain.' }),
          }),
        ),
      }),
    ),
  }),
  errors: ['UNKNOWN_WALLET'],
})
