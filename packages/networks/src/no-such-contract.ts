import { BaseError, ContractFunctionRevertedError, ContractFunctionZeroDataError } from 'viem'

/** No code at the address, or code without the function: the configuration is wrong, not the network. */
export const isNoSuchContract = (error: unknown): boolean =>
  error instanceof BaseError &&
  error.walk(
    (inner) =>
      inner instanceof ContractFunctionZeroDataError || inner instanceof ContractFunctionRevertedError,
  ) !== null
