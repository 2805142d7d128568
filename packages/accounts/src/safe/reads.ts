import { safeAbi } from '@lanyard/onchain'
import { type Address, getAbiItem } from 'viem'

/** The head of a Safe's linked lists: `SENTINEL_OWNERS` and `SENTINEL_MODULES`. */
export const sentinel: Address = '0x0000000000000000000000000000000000000001'

/** More modules than any account has. Reading costs nothing but the gas of an eth_call. */
const maxModules = 100n

const reads = {
  owners: { abi: safeAbi, functionName: 'getOwners' },
  threshold: { abi: safeAbi, functionName: 'getThreshold' },
  nonce: { abi: safeAbi, functionName: 'nonce' },
  modules: { abi: safeAbi, functionName: 'getModulesPaginated', args: [sentinel, maxModules] },
} as const

/**
 * What a deployed account answers, as parameters of viem's `readContract` and `multicall`, and of its coders. Owners and
 * modules are linked lists: who removes one needs all, in this order.
 */
export const accountReads = (address: Address) =>
  ({
    owners: { address, ...reads.owners },
    threshold: { address, ...reads.threshold },
    /** The account's own counter, not EntryPoint's. */
    nonce: { address, ...reads.nonce },
    /** The list, and where it goes on. */
    modules: { address, ...reads.modules },
  }) as const

/** The account's events when its owners change. */
export const ownerEvents = [
  /* @__PURE__ */ getAbiItem({ abi: safeAbi, name: 'AddedOwner' }),
  /* @__PURE__ */ getAbiItem({ abi: safeAbi, name: 'RemovedOwner' }),
] as const

/** The account's event when a call pays it native value (EtherPaymentFallback). */
export const receivedEvent = /* @__PURE__ */ getAbiItem({ abi: safeAbi, name: 'SafeReceived' })
