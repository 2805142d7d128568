import { z } from 'zod'

/** No chain gives an operation more gas; a larger figure is an error of the bundler. Units of gas. */
const absurdGas = 2n ** 40n

/** Gas as a hex quantity; some bundlers write a number. */
const gas = z
  .union([z.string().regex(/^0x[0-9a-fA-F]{1,64}$/, 'Expected a hex quantity'), z.int().nonnegative()])
  .transform((quantity) => BigInt(quantity))
  .refine((quantity) => quantity < absurdGas, 'More gas than any chain allows')

/** `eth_estimateUserOperationGas` (ERC-7769). */
export const gasEstimateAnswer = z.object({
  preVerificationGas: gas,
  verificationGasLimit: gas,
  callGasLimit: gas,
  paymasterVerificationGasLimit: gas.nullish(),
  paymasterPostOpGasLimit: gas.nullish(),
})

/** `eth_sendUserOperation`: the operation's hash. */
export const userOpHashAnswer = z
  .string()
  .regex(/^0x[0-9a-fA-F]{64}$/, 'Expected 32 bytes')
  .transform((hash) => hash.toLowerCase())

/** `eth_getUserOperationByHash`: null if the bundler has never had the operation. */
export const userOperationAnswer = z.looseObject({}).nullable()

export const chainIdAnswer = z
  .string()
  .regex(/^0x[0-9a-fA-F]{1,13}$/, 'Expected a hex quantity')
  .transform(Number)

export const entryPointsAnswer = z.array(z.string())
