import type { Call } from '@lanyard/accounts'
import type { TransactionDetail } from '@lanyard/contracts'

/** transactionDetails as the account functions take them. */
export const toCalls = (details: readonly TransactionDetail[]): Call[] =>
  details.map(({ targetContractAddress, value, encodedData }) => ({
    to: targetContractAddress,
    value,
    data: encodedData,
  }))
