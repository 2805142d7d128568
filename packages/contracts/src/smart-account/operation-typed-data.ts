import { z } from 'zod'
import { addressOutput } from '../primitives/address.ts'

/** An operation of EntryPoint v0.8 in the format of `eth_signTypedData_v4`; numbers are decimal strings. */
export const operationTypedData = z.object({
  domain: z.object({
    name: z.literal('ERC4337'),
    version: z.literal('1'),
    chainId: z.int(),
    verifyingContract: addressOutput,
  }),
  types: z.record(z.string(), z.array(z.object({ name: z.string(), type: z.string() }))),
  primaryType: z.literal('PackedUserOperation'),
  message: z.record(z.string(), z.string()),
})
