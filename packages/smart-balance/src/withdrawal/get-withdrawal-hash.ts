import { type Hash, hashTypedData } from 'viem'
import { getWithdrawalTypedData, type WithdrawalHashParameters } from './get-withdrawal-typed-data.ts'

/**
 * The digest that the operator co-signs, and the key of `usedWithdrawal`.
 *
 * @throws SmartBalanceError as {@link getWithdrawalTypedData}.
 */
export function getWithdrawalHash(parameters: WithdrawalHashParameters): Hash {
  return hashTypedData(getWithdrawalTypedData(parameters))
}
