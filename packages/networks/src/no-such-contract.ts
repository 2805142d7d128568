import { BaseError, ContractFunctionRevertedError, ContractFunctionZeroDataError } from 'viem'

/** No code at the address, or code that knows none of this: a wrong configuration, and not a network that fails. */
export const isNoSuchContract = (error: unknown): boolean =>
  error instanceof BaseError &&
  error.walk(
    (inner) =>
      inner instanceof ContractFunctionZeroDataError || inner instanceof ContractFunctionRevertedError,
  ) !== null
