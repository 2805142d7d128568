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

/** Storage slots of Safe 1.4.1: keccak256 of `fallback_manager.handler.address` and `guard_manager.guard.address`. */
export const handlerSlot = 0x6c9a6c4a39284e37ed1cf53d337577d14212a4870fb976a4366c693b939918d5n
export const guardSlot = 0x4a204f620c8c5ccdca3fd54d003badd85ba500436a431f0cbda4f558c93c34c8n
/** Of Safe 1.5.0, `module_manager.module_guard.address`: a guard of what modules do, such as ERC-4337's. */
export const moduleGuardSlot = 0xb104e0b93118902c651344349b610029d694cfdec91c589c91ebafbcd0289947n

/**
 * Contracts in an account's storage, as parameters of viem's `readContract` and of its coders: one word each, which ends in
 * the address. `handler` answers what the account itself does not, `guard` can refuse transactions (0: none).
 */
export const storedPartReads = (address: Address) =>
  ({
    handler: { address, abi: safeAbi, functionName: 'getStorageAt', args: [handlerSlot, 1n] },
    guard: { address, abi: safeAbi, functionName: 'getStorageAt', args: [guardSlot, 1n] },
  }) as const
