import type { Call } from '@lanyard/accounts'
import type { Network } from '@lanyard/networks'

/** The calls to sign on a network, as the interface returns them; undefined when there is nothing to do. */
export const toNetworkPlan = ({ chainId }: Network, calls: readonly Call[]) => ({
  network: chainId,
  status: calls.length > 0 ? ('pending' as const) : ('done' as const),
  transactionDetails: calls.map(({ to, value, data }) => ({
    encodedData: data,
    targetContractAddress: to,
    value: value.toString(),
  })),
})
