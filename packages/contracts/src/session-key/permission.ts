import { z } from 'zod'
import { address } from '../primitives/address.ts'
import { shortArray } from '../primitives/short-array.ts'

/** The maximum number of rules of a session: each name makes one rule. */
const maxNames = 32
const addresses = shortArray(z.array(address), maxNames, `At most ${maxNames} addresses`)

/** Maximum length of a signature that `functionSelector` accepts. */
const maxSignatureLength = 256
const signature = z.string().max(maxSignatureLength, `At most ${maxSignatureLength} characters`)
const functions = shortArray(z.array(signature), maxNames, `At most ${maxNames} functions`)

const allowance = z
  .string('Expected a decimal string in base units')
  .regex(/^\d{1,78}$/, 'Expected a decimal string in base units')
  .meta({ description: 'Base units, decimal string.', example: '1000000' })
const period = z.int().positive().exactOptional().meta({ description: 'Seconds. Absent: the total.' })

const nativeTokenAllowance = z.object({
  type: z.literal('native-token-allowance'),
  allowance,
  period,
  to: addresses.exactOptional().meta({
    description:
      'Allowed recipients. Absent: anyone. Empty: nobody, so the allowance is only for calls with value.',
  }),
})

const erc20TokenAllowance = z.object({
  type: z.literal('erc20-token-allowance'),
  token: address,
  allowance,
  period,
  to: addresses.exactOptional().meta({
    description:
      'Allowed recipients. They may also be approved until the operation ends. Absent: transfers to anyone, approvals to nobody.',
  }),
})

const contractCall = z.object({
  type: z.literal('contract-call'),
  target: address,
  functions: functions.meta({
    description: 'Signatures with types only, such as `transfer(address,uint256)`, or selectors of 4 bytes.',
  }),
  maxValue: allowance.exactOptional().meta({ description: 'Wei that one call may send. Absent: none.' }),
})

const gasFeeAllowance = z.object({
  type: z.literal('gas-fee-allowance'),
  allowance,
  operations: z
    .int()
    .positive()
    .exactOptional()
    .meta({ description: 'Number of operations that share it equally. Absent: 100.' }),
})

const why = 'A session without permissions could do nothing: name what it may do'

/** What the owner of an account allows a session key. The contract rejects everything else. */
export const permissions = shortArray(
  z
    .array(
      z.discriminatedUnion('type', [
        nativeTokenAllowance,
        erc20TokenAllowance,
        contractCall,
        gasFeeAllowance,
      ]),
      why,
    )
    .min(1, why),
  48,
  'At most 48 permissions',
)
