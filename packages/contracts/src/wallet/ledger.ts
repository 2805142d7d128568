import { z } from 'zod'
import { reserving } from '../access.ts'
import { endpoint } from '../endpoint.ts'
import { addressOutput } from '../primitives/address.ts'
import { decimalOutput } from '../primitives/amount.ts'
import { dateTime } from '../primitives/date-time.ts'
import { hexOutput } from '../primitives/hex.ts'
import { network } from '../primitives/network.ts'
import { namedAccount } from '../smart-account/account-kind.ts'

/** What an entry of a ledger is. */
const ledgerKinds = [
  'opening',
  'transfer_in',
  'transfer_out',
  'deposit',
  'withdrawal',
  'withdrawal_fee',
  'exit',
  'order_credit',
  'order_debit',
  'fee',
  'gas_withdrawal',
  'unexplained',
] as const

const signedDecimal = z.string().regex(/^-?\d+(\.\d+)?$/)

const token = z.object({
  symbol: z.string().meta({ description: 'Empty for a token that the configuration no longer names.' }),
  address: addressOutput.nullable().meta({ description: "`null`: the network's native coin." }),
})

export const ledgerEntry = z.object({
  at: z.iso.datetime().meta({ description: 'The time of the block.' }),
  network: z.string(),
  kind: z.enum(ledgerKinds).meta({
    description:
      '`opening`: what the account had before its first entry. `order_credit`: the loan of an order, paid to the account; `order_debit`: what the order took from a deposit. `fee`: the gas of an operation, 0 if `payer` is not the account. `gas_withdrawal`: from the gas deposit in EntryPoint. `unexplained`: the balance changed without a log, between `sinceBlock` and `block`.',
  }),
  holding: z.enum(['account', 'smart_balance']).meta({
    description:
      '`account`: its balance; that of the native coin includes its gas deposits in EntryPoint. `smart_balance`: its deposit there.',
  }),
  token,
  amount: signedDecimal.meta({ description: 'Exact, in whole coins; negative for what went.' }),
  units: z
    .string()
    .regex(/^-?\d+$/)
    .meta({
      description: "In the token's smallest unit; amounts of the smart balance have 6 decimals.",
    }),
  counterparty: addressOutput.nullable(),
  username: z
    .string()
    .nullable()
    .meta({ description: 'Of the counterparty, if it is an account of this service.' }),
  price: z.null().meta({ description: 'The service keeps no prices of the past.' }),
  gasCost: decimalOutput
    .nullable()
    .meta({ description: 'Of a fee: what the gas cost, wei, whoever paid it.' }),
  payer: addressOutput.nullable().meta({ description: 'Of a fee: the account, or the paymaster that paid.' }),
  txnHash: hexOutput.nullable(),
  userOpHash: hexOutput.nullable(),
  orderId: hexOutput.nullable(),
  orderFee: decimalOutput.nullable().meta({
    description: 'What the order cost, with 6 decimals. It is part of the debits, and no entry of its own.',
  }),
  block: decimalOutput,
  sinceBlock: decimalOutput.nullable(),
  final: z.literal(true),
})

export const ledger = endpoint({
  method: 'GET',
  path: '/wallet/ledger',
  tag: 'Wallet',
  bucket: 'reads',
  access: reserving,
  scope: 'read',
  summary: 'The ledger of an account',
  description:
    'Everything that moved money of an account in final blocks, oldest first: tokens of the configuration, native coin, gas, and the smart balance. The entries of a network add up to what the account has at `reconciledTo`: what no log explains is an entry too. It needs a secret key, or the token of the account’s user. A page has at most `limit` entries; `next` names the following one.',
  query: z.object({
    ...namedAccount,
    network: network.optional(),
    from: dateTime.optional().meta({ description: 'Only blocks from this time on.' }),
    to: dateTime.optional().meta({ description: 'Only blocks before this time.' }),
    after: z
      .string()
      .regex(/^\d{1,13}(\.-?\d{1,16}){4}$/, 'Expected `next` of the page before')
      .optional()
      .meta({ description: 'The `next` of the page before.' }),
    limit: z.coerce.number().int().min(1).max(1_000).default(100).meta({ type: 'integer' }),
  }),
  output: z.object({
    entries: z.array(ledgerEntry),
    next: z.string().nullable(),
    networks: z
      .array(
        z.object({
          network: z.string(),
          completeFrom: decimalOutput,
          completeFromTime: z.iso.datetime(),
          completeTo: decimalOutput,
          reconciledTo: decimalOutput
            .nullable()
            .meta({ description: '`null`: balances were not compared yet.' }),
          balances: z.array(
            z.object({ holding: z.enum(['account', 'smart_balance']), token, units: z.string() }),
          ),
        }),
      )
      .meta({
        description:
          'Where the account has a ledger, and the blocks between which it is complete. An account has none before a passkey or a signed operation proves it.',
      }),
  }),
  errors: ['UNKNOWN_WALLET', 'UNKNOWN_NETWORK'],
})
