import { z } from 'zod'
import { addressOutput } from '../primitives/address.ts'
import { decimalOutput } from '../primitives/amount.ts'
import { hexOutput } from '../primitives/hex.ts'
import { networkInteger } from '../primitives/network.ts'

const call = z.object({
  encodedData: hexOutput.meta({ description: '`0x`: this call is not needed. Leave it out.' }),
  targetContractAddress: addressOutput,
})

/** A reservation: the amounts it takes from each network, and the calls that use it. */
export const solution = z
  .object({
    withdrawalPlan: z.object({
      network: networkInteger.meta({ description: 'The output network.' }),
      amount: decimalOutput.meta({
        description: "The part of the account's own deposit there that the order uses.",
      }),
    }),
    tokenToClaim: z.object({
      address: addressOutput.meta({ description: 'The settlement token on the output network.' }),
      amount: decimalOutput.meta({ description: 'The lent part.' }),
    }),
    transactions: z.object({ claim: call, withdrawal: call }).meta({
      description: 'Put withdrawal, then claim (those that are not `0x`), in front of your own calls.',
    }),
    signatures: z.object({
      paymaster: hexOutput.meta({ description: 'Pass it unchanged as `paymasterData` to build.' }),
      withdrawal: hexOutput.meta({ description: "The operator's co-signature. `0x` if none is needed." }),
    }),
    orderId: hexOutput,
    debits: z
      .array(z.object({ network: networkInteger, amount: decimalOutput }))
      .meta({ description: 'The amount that deposits on other networks repay.' }),
    fee: decimalOutput,
    gasBudget: decimalOutput.meta({ description: 'The most that the operation may cost, in wei.' }),
    expiresAt: z.iso.datetime().meta({ description: 'Everything is reserved until then.' }),
  })
  .meta({ id: 'Solution' })
