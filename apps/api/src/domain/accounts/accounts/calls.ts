import type { Call } from '@lanyard/accounts'
import type { TransactionDetail } from '@lanyard/contracts'

/** Converts `transactionDetails` to the calls that the account functions take. */
export const toCalls = (details: readonly TransactionDetail[]): Call[] =>
  details.map(({ targetContractAddress, value, encodedData }) => ({
    to: targetContractAddress,
    value,
    data: encodedData,
  }))
