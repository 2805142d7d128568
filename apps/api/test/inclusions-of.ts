import type { Address, PublicClient } from 'viem'
import { entryPoint07Abi, entryPoint07Address } from 'viem/account-abstraction'

type Chain = Pick<PublicClient, 'getContractEvents'>

/** The `UserOperationEvent` logs of an account, in chain order. */
export const inclusionsOf = (chain: Chain, sender: Address) =>
  chain.getContractEvents({
    address: entryPoint07Address,
    abi: entryPoint07Abi,
    eventName: 'UserOperationEvent',
    args: { sender },
    fromBlock: 0n,
    strict: true,
  })
