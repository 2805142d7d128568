import type { Call } from '@lanyard/accounts'
import type { EndpointOutput, endpoints } from '@lanyard/contracts'

type TransactionDetail = EndpointOutput<typeof endpoints.smartBalance.deposit>['transactions'][number]

/** A call as the service writes it. */
export const toCall = ({ targetContractAddress, value, encodedData }: TransactionDetail): Call => ({
  to: targetContractAddress,
  value: BigInt(value),
  data: encodedData,
})
