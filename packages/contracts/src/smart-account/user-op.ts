import { z } from 'zod'
import { addressOutput } from '../primitives/address.ts'
import { decimalOutput } from '../primitives/amount.ts'
import { hexOutput } from '../primitives/hex.ts'

/**
 * A user operation in the format of the interface: nine strings, numbers in decimal. Together with the
 * caller's own `paymasterData` they are the whole packed operation; the tenth field is present if the service
 * filled it.
 */
export const userOp = z
  .object({
    sender: addressOutput,
    nonce: decimalOutput.meta({ description: 'ERC-4337: 192-bit key ‖ 64-bit sequence.' }),
    initCode: hexOutput.meta({ description: 'Factory ‖ factory data. `0x` once deployed.' }),
    callData: hexOutput,
    callGasLimit: decimalOutput,
    verificationGasLimit: decimalOutput,
    preVerificationGas: decimalOutput,
    maxFeePerGas: decimalOutput.meta({ description: 'wei' }),
    maxPriorityFeePerGas: decimalOutput.meta({ description: 'wei' }),
    paymasterAndData: hexOutput.optional(),
  })
  .meta({ id: 'UserOp' })

export type UserOp = z.output<typeof userOp>
