import { z } from 'zod'
import { address, addressOutput } from '../primitives/address.ts'
import { amount, decimalOutput, maxUint256 } from '../primitives/amount.ts'
import { hex, hexOutput } from '../primitives/hex.ts'
import { shortArray } from '../primitives/short-array.ts'

/** Maximum calls of one operation: more would not fit into a bundle on common networks. */
export const maxCalls = 64
export const maxCallDataBytes = 128 * 1024

/** One call of an operation. */
const transactionDetail = z
  .object({
    encodedData: hex.meta({ description: 'Call data. `0x` for a plain transfer.' }),
    targetContractAddress: address,
    value: amount.default(0n).meta({ description: 'Native value in wei, decimal string. Absent: 0.' }),
  })
  .meta({
    id: 'TransactionDetail',
    example: {
      encodedData: '0x',
      targetContractAddress: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
      value: '1000000000000000',
    },
  })

const callDataBytes = (details: readonly { encodedData: string }[]) =>
  details.reduce((sum, { encodedData }) => sum + (encodedData.length - 2) / 2, 0)

/** Wei. More than any chain has cannot be stored. */
const totalValue = (details: readonly { value: bigint }[]) =>
  details.reduce((sum, { value }) => sum + value, 0n)

/** The calls of an operation, executed in order, all or nothing. */
export const transactionDetails = shortArray(
  z.array(transactionDetail),
  maxCalls,
  `At most ${maxCalls} calls in one operation`,
)
  .refine(
    (details) => callDataBytes(details) <= maxCallDataBytes,
    'At most 128 KiB of call data in one operation',
  )
  .refine((details) => totalValue(details) <= maxUint256, 'The sum of the values is larger than 2^256 - 1')
  .default([])
  .meta({
    description:
      'May be absent or empty only while the account is not deployed. The operation then deploys it.',
  })

/** A call in responses. */
export const transactionDetailOutput = z
  .object({ encodedData: hexOutput, targetContractAddress: addressOutput, value: decimalOutput })
  .meta({ id: 'TransactionDetailOutput' })

export type TransactionDetail = z.output<typeof transactionDetail>
