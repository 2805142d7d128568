import type { Call } from '@lanyard/accounts'
import type { TransactionDetail } from '../generated/types.gen.ts'

/** Converts a call to the format of requests. */
export function toTransactionDetail({ to, value, data }: Call): TransactionDetail {
  return { targetContractAddress: to, value: value.toString(), encodedData: data }
}
