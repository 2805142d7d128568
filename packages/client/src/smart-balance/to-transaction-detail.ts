import type { Call } from '@lanyard/accounts'
import type { TransactionDetail } from '../generated/types.gen.ts'

/** A call as requests write it. */
export function toTransactionDetail({ to, value, data }: Call): TransactionDetail {
  return { targetContractAddress: to, value: value.toString(), encodedData: data }
}
