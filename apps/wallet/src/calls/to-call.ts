import type { Call } from '@lanyard/accounts'
import type { EndpointOutput, endpoints } from '@lanyard/contracts'

type TransactionDetail = EndpointOutput<typeof endpoints.smartBalance.deposit>['transactions'][number]

/** Converts a call from the service's format. */
export const toCall = ({ targetContractAddress, value, encodedData }: TransactionDetail): Call => ({
  to: targetContractAddress,
  value: BigInt(value),
  data: encodedData,
})
