import type { Call } from '@lanyard/accounts'
import { getAddress } from 'viem'

/** Calls in the form of the interface, for use in a build. */
export const toTransactions = (calls: readonly Call[]) => ({
  transactions: calls.map(({ to, value, data }) => ({
    encodedData: data,
    targetContractAddress: getAddress(to),
    value: String(value),
  })),
})
