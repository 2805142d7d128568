import { countCalls } from '@lanyard/testing'
import { expect, test } from 'vitest'
import { accountMessage } from './message/account-message.ts'
import { address } from './primitives/address.ts'
import { amount } from './primitives/amount.ts'
import { network } from './primitives/network.ts'
import { username } from './primitives/username.ts'
import { permissions } from './session-key/permission.ts'
import { sessionKey } from './session-key/session-key.ts'
import { transactionDetails } from './smart-account/transaction-detail.ts'
import { binary } from './webauthn/binary.ts'

interface Schema {
  safeParse(value: unknown): { readonly success: boolean }
}

/** Bytes of a large body, and more values than one may have (`read-request.ts` of the service). */
const bytes = 250_000
const values = 8_000

const text = (unit: string) => unit.repeat(bytes / unit.length)
const list = (item: unknown, length = values) => Array.from({ length }, () => item)
const typed = (types: object, message: object) => ({ typedData: { primaryType: 'A', types, message } })
const manyTypes = Object.fromEntries(
  list(0, 2_000).map((_, index) => [`T${index}`, [{ name: 'a', type: 'b' }]]),
)

/** A large input of each schema that once did, or could do, more than look at its size. */
const inputs: readonly (readonly [string, Schema, unknown])[] = [
  ['an address of letters', address, text('aB')],
  ['an address of hex', address, `0x${text('aB')}`],
  ['a session key of hex', sessionKey, `0x${text('aB')}`],
  ['a target of hex', transactionDetails, [{ encodedData: '0x', targetContractAddress: `0x${text('aB')}` }]],
  ['too many calls', transactionDetails, list({ encodedData: '0x' }, 4_000)],
  [
    'a permission of long texts',
    permissions,
    [{ type: 'contract-call', target: `0x${text('aB')}`, functions: [text('f')] }],
  ],
  ['too many permissions', permissions, list({ type: 'contract-call' })],
  ['an amount of digits', amount, text('9')],
  ['a network of digits', network, text('9')],
  ['a username of marks', username, `a${text('\u0301\u0323')}`],
  ['a username of ligatures', username, text('\ufdfa')],
  ['base64 with a wrong end', binary, `${text('A')}!`],
  ['typed data of many types', accountMessage, typed(manyTypes, {})],
  [
    'typed data of many values',
    accountMessage,
    typed({ A: [{ name: 'a', type: 'uint8[]' }] }, { a: list(1) }),
  ],
  ['typed data of empty lists', accountMessage, typed({ A: [{ name: 'a', type: 'B[]' }] }, { a: list([]) })],
  [
    'typed data of a long text',
    accountMessage,
    typed({ A: [{ name: 'a', type: 'string' }] }, { a: text('a') }),
  ],
  ['bytes of a message', accountMessage, { rawMessage: `0x${text('ab')}` }],
]

/** Calls of functions. Typed data of 32 KiB is measured value by value; everything else takes less than 500. */
const limit = 20_000

test.each(inputs)('error: %s, rejected without much work', async (_name, schema, input) => {
  const { success } = schema.safeParse(input) // zod compiles a schema at its first use
  expect(success).toBe(false)
  expect(await countCalls(() => schema.safeParse(input))).toBeLessThan(limit)
})
